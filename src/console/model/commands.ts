import { type Argument, VERBS, type Verb } from '../../message/verbs.ts'

/**
 * A word of the console behind a slash. `runs`: the command of the same name is run with the rest.
 */
type SlashCommand = {
  word: string
  usage: string
  says: string
  runs?: true
  takes?: Argument
}

/** In the order of the help: commands of the program, then words of the room's own. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  ...VERBS.flatMap(slashCommand),
  { word: 'inbox', usage: '/inbox', says: 'go to the oldest message that you have not seen' },
  {
    word: 'reply',
    usage: '/reply <id> text',
    says: 'answer a message; #3 2 answers decision 3',
    takes: 'reply',
  },
  {
    word: 'task',
    usage: '/task @name text',
    says: 'give a task, as @name /task text',
    takes: 'name',
  },
  { word: 'ask', usage: '/ask @name text', says: 'ask, as @name /ask text', takes: 'name' },
  {
    word: 'resume',
    usage: '/resume [chain]',
    says: 'let a held chain ring again, or everything',
    takes: 'chain',
  },
  { word: 'help', usage: '/help', says: 'this' },
  { word: 'quit', usage: '/quit', says: 'leave; so does Ctrl-D in an empty line' },
]

/** Every word behind a slash. */
export const SLASH_WORDS = SLASH_COMMANDS.map(({ word }) => word)

function slashCommand({ word, summary, slash }: Verb): SlashCommand[] {
  if (slash === undefined) return []
  const usage = `/${word} ${slash.usage}`.trimEnd()
  const { takes } = slash
  return [{ word, usage, says: summary, runs: true, ...(takes === undefined ? {} : { takes }) }]
}

/** What `/help` prints. */
export function helpText(): string {
  const rows: [string, string][] = [
    ['@name text', 'write to a session'],
    ['@name', 'write to it from now on'],
    ['text', 'write to whom you last wrote to'],
    ['@name /task text', 'give it a task whose state can be followed'],
    ['@name /ask text', 'ask it; the answer is shown when it comes'],
    ['#3 2', 'answer decision 3 with its second option, or with words; #3 shows it'],
    ...SLASH_COMMANDS.map(({ usage, says }): [string, string] => [usage, says]),
    ['Tab', 'completes names, commands and ids'],
    ['Up, Down', 'what you typed before'],
    ['PgUp, PgDn', 'what stood here before'],
    ['Shift-Enter, \\ Enter', 'a new line in a message'],
  ]
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return rows.map(([usage, says]) => `${usage.padEnd(width)}  ${says}`).join('\n')
}
