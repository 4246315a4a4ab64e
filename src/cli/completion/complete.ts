import type { Argument, Command, Option } from 'commander'
import { verbOf, verbs, type Word } from '../../message/verbs.ts'
import type { Ports } from '../ports.ts'
import { firstWord, LOAD } from '../verbs.ts'
import { knownWords, type WordKind } from './words.ts'

/** What stands in a place, by the name that its command gives to the place. */
const KINDS: Record<string, WordKind | 'files'> = {
  name: 'names',
  recipient: 'names',
  peer: 'names',
  names: 'workers',
  worker: 'workers',
  which: 'workers',
  topic: 'verbs',
  old: 'sessions',
  host: 'machines',
  target: 'machines',
  id: 'ids',
  chain: 'ids',
  task: 'tasks',
  path: 'files',
}

/**
 * Prints what may stand in the place of the last of these words, however much of it is typed: one
 * candidate a line, with a tab and its description where it has one. The one line `:files` tells
 * the shell to offer files itself. `program` gets the definition of the one command that is named.
 */
export async function complete(words: string[], program: Command, ports: Ports): Promise<void> {
  const candidates = await offer(words.slice(0, -1), words.at(-1) ?? '', program, ports)
  // One by one: a registry that cannot be read does not take away the verbs before its names.
  for (const candidate of candidates) ports.print(`${candidate}\n`)
}

async function offer(before: string[], typed: string, program: Command, ports: Ports) {
  if (before.length === 0 && !typed.startsWith('-')) return firstWords(typed, ports)
  const at = firstWord(before)
  const verb = verbOf(before[at])
  const command = await definition(verb?.word, program, ports)
  const { option, count, ended } = placeBehind(verb ? before.slice(at + 1) : before, command)
  if (option && !isFlagInstead(typed, option)) return values(option, typed, ports)
  const [, flag, value = ''] = (!ended && /^(--[^=]+)=(.*)$/s.exec(typed)) || []
  if (flag) return values(taking(flag, command), value, ports, `${flag}=`)
  if (!ended && typed.startsWith('-'))
    return new Set([...flagsOf(command), ...(verb ? [] : flagsOf(program))])
  if (!verb) return count === 0 ? firstWords(typed, ports) : []
  const last = command.registeredArguments.at(-1)
  return values(
    command.registeredArguments[count] ?? (last?.variadic ? last : undefined),
    typed,
    ports,
  )
}

function* firstWords(typed: string, ports: Ports): Iterable<string> {
  if (!typed.startsWith('@'))
    yield* verbs().flatMap((verb) => ('hidden' in verb ? [] : [`${verb.word}\t${verb.summary}`]))
  yield* known('sessions', typed, ports)
}

/** The command of this word; without one, that which starts a session. */
async function definition(word: Word | undefined, program: Command, ports: Ports) {
  ;(await LOAD[word ?? 'start']())(program, ports)
  return program.commands[0] ?? program
}

/** Where these words lead: to the value of an option, or to the argument of this number. */
function placeBehind(words: string[], command: Command) {
  let option: Option | undefined
  let count = 0
  let ended = false
  for (const word of words) {
    const isValue = option !== undefined && !isFlagInstead(word, option)
    const isFlag: boolean = !isValue && !ended && /^-./s.test(word)
    option = isFlag ? taking(word, command) : undefined
    ended ||= isFlag && word === '--'
    if (!isValue && !isFlag) count += 1
  }
  return { option, count, ended }
}

/** Instead of a value that may be left out, the next flag may follow. */
function isFlagInstead(word: string, option: Option): boolean {
  return option.optional && word.startsWith('-')
}

/** The option of this name, if it takes a value. */
function taking(flag: string, command: Command): Option | undefined {
  return command.options.find(
    ({ short, long, required, optional }) =>
      (short === flag || long === flag) && (required || optional),
  )
}

/** What its help does not show is left out. */
function flagsOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ short, long, description }) =>
      [short, long].filter(Boolean).map((name) => `${name}\t${description}`),
    )
}

function values(
  place: Argument | Option | undefined,
  typed: string,
  ports: Ports,
  prefix = '',
): string[] {
  const kind = place && KINDS[nameOf(place)]
  if (kind === 'files') return [':files']
  const words = [...(kind ? known(kind, typed, ports) : []), ...(place?.argChoices ?? [])]
  return words.map((word) => prefix + word)
}

function nameOf(place: Argument | Option): string {
  return 'flags' in place ? (/[<[]([a-z-]+)/.exec(place.flags)?.[1] ?? '') : place.name()
}

/** A name has its @, unless something else was typed. */
function known(kind: WordKind, typed: string, { bus }: Ports): string[] {
  const at =
    (kind === 'names' || kind === 'sessions' || kind === 'workers') && /^(@|$)/.test(typed)
      ? '@'
      : ''
  return knownWords(bus().home, kind).map((word) => at + word)
}
