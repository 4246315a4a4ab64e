import type { Argument } from '../../message/verb.ts'
import { SLASH_COMMANDS } from './commands.ts'

/** What Tab can complete to. Ids are those that the room shows, newest first. */
export type Completable = {
  names: string[]
  words: readonly string[]
  ids: string[]
  numbers: number[]
  chains: string[]
}

/** From `from` on, the text may become any of `options`, each whole, with the blank behind it. */
type Completion = { from: number; options: string[] }

/** What the word before the cursor may become. Names and commands match by their beginning. */
export function complete(before: string, known: Completable): Completion {
  const from = Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n')) + 1
  const word = before.slice(from)
  const options = optionsFor(before.slice(0, from).trimStart(), word, known)
  return { from, options: [...new Set(options)].map((option) => `${option} `) }
}

/** The longest text that all options begin with. */
export function commonStart(options: readonly string[]): string {
  const [first = '', ...others] = options
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

function optionsFor(earlier: string, word: string, known: Completable): string[] {
  if (word.startsWith('@')) return byStart(names(known), word)
  if (earlier === '' && word.startsWith('/'))
    return byStart(
      known.words.map((one) => `/${one}`),
      word,
    )
  if (earlier === '' && word.startsWith('#')) return byStart(numbers(known), word)
  if (/^@\S+\s+$/.test(earlier) && word.startsWith('/')) return byStart(['/task', '/ask'], word)
  const [, command, first] = /^\/(\S+)\s+(\S*)/.exec(earlier) ?? []
  const takes = SLASH_COMMANDS.find(
    (one) => one.word === command && known.words.includes(one.word),
  )?.takes
  return takes === undefined || first !== '' ? [] : argumentOptions(takes, word, known)
}

function argumentOptions(takes: Argument, word: string, known: Completable): string[] {
  switch (takes) {
    case 'name':
      return byStart(names(known), `@${word}`)
    case 'id':
      return known.ids.filter((id) => id.includes(word))
    case 'reply':
      return [...byStart(numbers(known), word), ...known.ids.filter((id) => id.includes(word))]
    case 'chain':
      return known.chains.filter((chain) => chain.includes(word))
  }
}

function names(known: Completable): string[] {
  return known.names.map((name) => `@${name}`)
}

function numbers(known: Completable): string[] {
  return known.numbers.map((number) => `#${number}`)
}

function byStart(options: readonly string[], word: string): string[] {
  return options.filter((option) => option.startsWith(word))
}
