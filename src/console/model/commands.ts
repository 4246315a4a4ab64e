import type { Argument, Verb } from '../../message/verb.ts'
import { verbs } from '../../message/verbs.ts'

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

/** What turns notifications on again, and what lets a held message go on. */
export const UNPAUSE = '/unpause'
export const RELEASE = '/release'

/** In the order of the help: commands of the program, then words of the room's own. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  ...verbs().flatMap(slashCommand),
  { word: 'inbox', usage: '/inbox', says: 'go back to the inbox' },
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
    word: 'open',
    usage: '/open @name',
    says: "go to a session's terminal, or look at it",
    takes: 'name',
  },
  { word: 'help', usage: '/help', says: 'show this help' },
  { word: 'quit', usage: '/quit', says: 'leave the console' },
]

/** Every word behind a slash. */
export const SLASH_WORDS = SLASH_COMMANDS.map(({ word }) => word)

/** A hint in the words of the room: what is typed here has a slash, or begins with a name. */
export function typedHere(hint: string): string {
  return hint
    .replaceAll(/agent-chat send (@[\w-]+)(?: --reply-to \w+)? "…"/g, '$1 …')
    .replaceAll(/agent-chat attach ([\w-]+)/g, '/open @$1')
    .replaceAll(/agent-chat ([a-z-]+)(?=[ ;,]|$)/g, (line, word: string) =>
      SLASH_WORDS.includes(word) ? `/${word}` : line,
    )
}

function slashCommand({ word, summary, slash }: Verb): SlashCommand[] {
  if (slash === undefined) return []
  const usage = `/${word} ${slash.usage}`.trimEnd()
  const { takes } = slash
  return [{ word, usage, says: summary, runs: true, ...(takes === undefined ? {} : { takes }) }]
}
