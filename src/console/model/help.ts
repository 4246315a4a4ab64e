import { SLASH_COMMANDS } from './commands.ts'

type Part = readonly [title: string, rows: readonly [string, string][]]

/** Below this width no table of them fits. In columns. */
const ROOM_FOR_TABLE = 70

/** All keys and words, `first` the ones or the others, for so many columns. */
export function helpText(first: 'keys' | 'words', columns = ROOM_FOR_TABLE): string {
  const parts = first === 'keys' ? [...KEYS, WORDS] : [WORDS, ...KEYS]
  return parts.map((part) => partText(part, columns)).join('\n\n')
}

function partText([title, rows]: Part, columns: number): string {
  const width = Math.max(...rows.map(([key]) => key.length))
  const line = ([key, does]: readonly [string, string]) =>
    columns < ROOM_FOR_TABLE ? `${key}: ${does}` : `  ${key.padEnd(width)}  ${does}`
  return [title, ...rows.map(line)].join('\n')
}

const KEYS: readonly Part[] = [
  [
    'In an empty line',
    [
      ['↑ or Esc', 'select a message in the room'],
      ['1 to 9', 'answer the first decision; Enter confirms'],
      ['?', 'show these keys'],
      ['Ctrl-D', 'quit'],
    ],
  ],
  [
    'While you type',
    [
      ['Tab', 'complete names, commands, ids'],
      ['Ctrl-P, Ctrl-N', 'previous and next line'],
      ['Shift-Enter, \\ Enter', 'a new line in the message'],
      ['PgUp, PgDn, wheel', 'scroll the room'],
      ['Ctrl-L', 'back to the newest message'],
      ['Ctrl-C twice', 'quit'],
    ],
  ],
  [
    'In the room',
    [
      ['j k, ↑ ↓, click', 'select a message'],
      ['g, G', 'first and newest message'],
      ['Enter', 'open it with its thread'],
      ['r', 'reply to it'],
      ['y', 'copy its id'],
      ['o', "go to the session's terminal (back: tmux's prefix, L), or look at it"],
      ['f', 'show one session, one kind, or what needs you'],
      ['Esc', 'close the pane, then return to the input line'],
    ],
  ],
]

const WORDS: Part = [
  'What you type',
  [
    ['@name text', 'write to a session; later messages need no name'],
    ['@name /task text', 'give it a task and follow its state'],
    ['@name /ask text', 'ask it a question'],
    ['#3 2', 'answer decision 3 with option 2; words work as well'],
    ...SLASH_COMMANDS.map(({ usage, says }): [string, string] => [usage, says]),
  ],
]
