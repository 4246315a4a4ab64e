/** A word of the console behind a slash. `argv`: the command of `agent-chat` that it is, run with what is typed behind it. */
export type SlashCommand = { word: string; usage: string; says: string; argv?: string[]; takes?: Argument }

/** What stands behind a command, for Tab. */
export type Argument = 'name' | 'id' | 'reply' | 'chain'

/** In the order of the help. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { word: 'who', usage: '/who', says: 'the sessions and what they are doing', argv: ['who'] },
  { word: 'tasks', usage: '/tasks [--open]', says: 'the tasks and how they stand', argv: ['tasks'] },
  { word: 'inbox', usage: '/inbox', says: 'go to the oldest message that you have not seen' },
  {
    word: 'history',
    usage: '/history [count] [--with @name]',
    says: 'the last messages of everyone',
    argv: ['history'],
    takes: 'name',
  },
  { word: 'thread', usage: '/thread <id>', says: 'a whole conversation', argv: ['thread'], takes: 'id' },
  {
    word: 'show',
    usage: '/show <id>',
    says: 'one message whole, and what has become of it',
    argv: ['show'],
    takes: 'id',
  },
  { word: 'reply', usage: '/reply <id> text', says: 'answer a message; #3 2 answers decision 3', takes: 'reply' },
  { word: 'task', usage: '/task @name text', says: 'give a task, as @name /task text', takes: 'name' },
  { word: 'ask', usage: '/ask @name text', says: 'ask, as @name /ask text', takes: 'name' },
  { word: 'status', usage: '/status [@name]', says: 'one session in full', argv: ['status'], takes: 'name' },
  { word: 'search', usage: '/search words', says: 'messages of the archive', argv: ['search'] },
  { word: 'stats', usage: '/stats', says: 'messages and tokens, over time', argv: ['stats'] },
  { word: 'pause', usage: '/pause', says: 'silence every doorbell', argv: ['pause'] },
  { word: 'resume', usage: '/resume [chain]', says: 'let a held chain ring again, or everything', takes: 'chain' },
  { word: 'gate', usage: '/gate [name]', says: 'what the guardrails let pass, and why', argv: ['gate'], takes: 'name' },
  { word: 'help', usage: '/help', says: 'this' },
  { word: 'quit', usage: '/quit', says: 'leave; so does Ctrl-D in an empty line' },
]

/** What `/help` prints. `words` are the commands that this program has. */
export function helpText(words: readonly string[]): string {
  const rows: [string, string][] = [
    ['@name text', 'write to a session'],
    ['@name', 'write to it from now on'],
    ['text', 'write to whom you last wrote to'],
    ['@name /task text', 'give it a task whose state can be followed'],
    ['@name /ask text', 'ask it; the answer is shown when it comes'],
    ['#3 2', 'answer decision 3 with its second option, or with words; #3 shows it'],
    ...SLASH_COMMANDS.filter(({ word }) => words.includes(word)).map(({ usage, says }): [string, string] => [
      usage,
      says,
    ]),
    ['Tab', 'completes names, commands and ids'],
    ['Up, Down', 'what you typed before'],
    ['PgUp, PgDn', 'what stood here before'],
    ['Shift-Enter, \\ Enter', 'a new line in a message'],
  ]
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return rows.map(([usage, says]) => `${usage.padEnd(width)}  ${says}`).join('\n')
}
