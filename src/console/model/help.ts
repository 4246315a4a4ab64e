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
    'In the inbox',
    [
      ['j k, ↑ ↓, g G, click', 'select a row'],
      ['Enter', 'open it: the whole thread, or all that is asked'],
      ['1 to 9', 'choose an option of a decision; Enter sends it'],
      ['r', 'answer in words'],
      ['e', 'mark a thread read, or what happened while you were away as seen'],
      ['o', "go to the session's terminal (back: tmux's prefix, L), or look at it (back: o)"],
      ['/', 'filter: a name or a word; what needs you stays below'],
      ['i or :', 'write; @ and # as well'],
      ['Tab', 'go to the messages, and back'],
      ['Esc', 'close the pane, then end the filter'],
      ['q', 'close the pane, then quit'],
    ],
  ],
  [
    'While you write',
    [
      ['Tab', 'complete names, commands, ids'],
      ['Ctrl-P, Ctrl-N', 'previous and next line'],
      ['Shift-Enter, \\ Enter', 'a new line in the message'],
      ['PgUp, PgDn, wheel', 'scroll the messages'],
      ['Ctrl-L', 'back to the newest message'],
      ['Ctrl-C twice', 'quit'],
      ['in an empty line: Esc', 'back to the inbox'],
      ['↑', 'select a message'],
      ['?', 'show these keys'],
      ['Ctrl-D', 'quit'],
    ],
  ],
  [
    'Among the messages',
    [
      ['j k, ↑ ↓, click', 'select a message'],
      ['g, G', 'first and newest message'],
      ['Enter', 'open it with its thread'],
      ['r', 'reply to it'],
      ['y', 'copy its id'],
      ['o', "go to the session's terminal, or look at it"],
      ['f or /', 'show one session, or one kind'],
      ['Esc', 'close the pane, then end the filter, then back to the inbox'],
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
