import type { AgentResume } from './agent.ts'

/**
 * The arguments of a session that comes back. `back`: the words; `names`: of their options, without
 * values; `asks`: those that load code or lift permissions; `left`: options that nobody here knows.
 * `mode`: the permission mode, as far as they say one. `conversation`: the id that they chose.
 */
export type ArgumentsBack = {
  back: string[]
  names: string[]
  asks: string[]
  left: string[]
  mode: string | undefined
  conversation: string | undefined
}

/** What a conversation's id looks like, for every agent: it becomes a word of a command line. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{7,127}$/

/** Whether a text can be a conversation's id. */
export function isConversation(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text)
}

/**
 * Reads the arguments that an agent was started with. A prompt, and whatever chose a conversation,
 * does not come back. Without a table of its options nothing does.
 */
export function argumentsBack(args: readonly string[], of: AgentResume | undefined): ArgumentsBack {
  const found: ArgumentsBack = {
    ...{ back: [], names: [], asks: [], left: [] },
    ...{ mode: undefined, conversation: undefined },
  }
  const words = args.indexOf('--') < 0 ? args : args.slice(0, args.indexOf('--'))
  for (let at = 0; at < words.length; ) {
    const [name = '', given] = splitOnce(words[at] ?? '')
    if (!name.startsWith('-') || name === '-') {
      // `codex resume <id>`: the word itself, and its id behind it.
      if (of?.words('')[0] === name) found.conversation = idIn(words[at + 1])
      at += 1
      continue
    }
    const option = of && optionOf(of, name)
    const taken = given === undefined && option ? taking(option.takes, words, at + 1) : 0
    const values = given === undefined ? words.slice(at + 1, at + 1 + taken) : [given]
    take(found, { name, values, words: words.slice(at, at + 1 + taken), of, option })
    at += 1 + taken
  }
  return found
}

type Option = { list: 'back' | 'asks' | 'once'; takes: string }
type Read = {
  name: string
  values: string[]
  words: readonly string[]
  of: AgentResume | undefined
  option: Option | undefined
}

function take(found: ArgumentsBack, { name, values, words, of, option }: Read): void {
  if (!of || !option) {
    found.left.push(name)
    return
  }
  if (option.list === 'once') {
    found.conversation ??= idIn(values[0])
    return
  }
  found.back.push(...words)
  found.names.push(name)
  if (option.list === 'asks' || values.some((value) => of.lifts.test(`${name}=${value}`)))
    found.asks.push(name)
  if (namesOf(of.modes).includes(name))
    found.mode = [found.mode, values[0] ?? name.replace(/^-+/, '')].filter(Boolean).join(', ')
}

/** How many of the words from `from` an option takes. */
function taking(takes: string, words: readonly string[], from: number): number {
  const isWord = (at: number) => words[at] !== undefined && !words[at]?.startsWith('-')
  if (takes === '=') return words[from] === undefined ? 0 : 1
  if (takes === '=?') return isWord(from) ? 1 : 0
  if (takes !== '=*') return 0
  let count = 0
  while (isWord(from + count)) count += 1
  return count
}

function optionOf(of: AgentResume, name: string): Option | undefined {
  for (const list of ['asks', 'once', 'back'] as const)
    for (const entry of of[list].split(' ')) {
      const [, names = '', takes = ''] = /^([^=]*)(=[?*]?)?$/.exec(entry) ?? []
      if (names.split('/').includes(name)) return { list, takes }
    }
  return undefined
}

function namesOf(list: string): string[] {
  return list.split(' ').flatMap((entry) => entry.replace(/=.*$/, '').split('/'))
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function idIn(word: string | undefined): string | undefined {
  return isConversation(word) ? word : undefined
}
