import { statSync } from 'node:fs'
import type { Message } from '../message/message.ts'
import type { Bus } from './bus.ts'
import type { Home } from './home.ts'
import { readMessageFile } from './inbox.ts'
import { namerOf } from './names.ts'
import { corpusRecord, type Entry, scanCorpus } from './searchCorpus.ts'
import { corpusKeeper } from './searchKeep.ts'
import { idOfMessageFile, messagePlaces, placeStamps, type Stamps } from './searchPlaces.ts'
import { noteSeen, readSeen, type Seen, unchanged } from './searchSeen.ts'
import { fold, type Line, matchingLine } from './searchText.ts'

/** What is searched for. `words` all occur, as plain text in any case; names are those of now; `since` is in milliseconds since 1970. */
export type Search = { words: string[]; from?: string; to?: string; kind?: string; since?: number }

/** A message that was found, and the line that answers. */
export type Hit = { message: Message; line: Line }

/**
 * What a search gave: the newest `limit` hits, newest first, and how many messages match. `unkept` is why what was read could not be kept for the next
 * search (an errno), where that is so.
 */
export type Found = { hits: Hit[]; found: number; unkept?: string }

/** A message that matches: its file's name and its timestamp. There may be a hundred thousand of them. */
type Match = { file: string; time: string }

/** The messages that match, in no order, and the paths of those that are not in the archive. */
type Matches = { matches: Match[]; elsewhere: ReadonlyMap<string, string>; unkept?: string }

/** A file as young as this may still be written, by a hand that does not know how to publish. In milliseconds. */
const YOUNG_MS = 2000

/**
 * Searches every message of the home. The corpus (`searchCorpus.ts`) has the text of those that an earlier search has seen; those that it has not, by
 * the names in the directories, are read from their files and taken in. Whatever is found is read from its file again: what is gone, or says
 * something else now, is not given. `onNew` learns how many files have to be read.
 */
export function searchMessages(bus: Bus, search: Search, limit: number, onNew: (count: number) => void): Found {
  const query = { ...search, words: search.words.map(fold) }
  const stamps = placeStamps(bus.home, bus.clock.now())
  const seen = readSeen(bus.home)
  const same = unchanged(seen, stamps)
  const matches =
    (seen && same.size === stamps.size ? matchSeen(bus.home, seen, query) : undefined) ??
    matchListed(bus, stamps, same, query, onNew)
  const { unkept } = matches
  return { ...confirm(bus.home, matches, query.words, limit), ...(unkept === undefined ? {} : { unkept }) }
}

/** Where nothing came or went since it was last seen, the corpus of then has it all. Undefined where that one is no more. */
function matchSeen(home: Home, seen: Seen, query: Search): Matches | undefined {
  const { matches, extent } = matchCorpus(home, query, () => true)
  const { size, generation } = seen.corpus
  if (!extent || extent.broken || extent.size !== size || extent.generation !== generation) return undefined
  return { matches, elsewhere: new Map() }
}

/** Lists what there is, but for directories that are the `same` as when they were seen; reads what the corpus does not have, and takes it in. */
function matchListed(
  bus: Bus,
  stamps: Stamps,
  same: ReadonlySet<string>,
  query: Search,
  onNew: (count: number) => void,
): Matches {
  const { archived, elsewhere } = messagePlaces(bus.home, same)
  const others = new Set(elsewhere.keys())
  let stale = false
  const { matches, extent } = matchCorpus(bus.home, query, (file) => {
    if (archived.delete(file) || others.delete(file)) return true
    stale = true
    return false
  })
  // What has left the archive may still stand where nothing has changed.
  if (stale && same.size > 0) return matchListed(bus, stamps, new Set(), query, onNew)
  const unknown = [...archived, ...others].filter((file) => idOfMessageFile(file) !== undefined).sort()
  if (unknown.length > 0) onNew(unknown.length)
  const keeper = corpusKeeper(bus, extent, { renew: stale || extent?.broken === true, add: unknown.length > 0 })
  const whole = matchFiles(bus, unknown, elsewhere, query, matches, keeper.keep)
  const { corpus, unkept } = keeper.end()
  if (!whole) stamps.delete(bus.home.messages)
  if (corpus && elsewhere.size === 0) noteSeen(bus.home, stamps, corpus)
  return { matches, elsewhere, ...(unkept === undefined ? {} : { unkept }) }
}

/** What in the corpus matches, of the files that are `there`. */
function matchCorpus(home: Home, query: Search, there: (file: string) => boolean) {
  const matches: Match[] = []
  const named = namerOf(home)
  const { words, ...header } = query
  const everyHeader = Object.keys(header).length === 0
  const extent = scanCorpus(home, words, (record) => {
    const file = record.file()
    if (!there(file) || !words.every((_, at) => record.has(at))) return
    if (everyHeader || passes(named(record.entry()), query)) matches.push({ file, time: record.time() })
  })
  return { matches, extent }
}

/** Reads these files, adds to `matches`, and keeps what can be; gives whether that was all of them. */
function matchFiles(
  bus: Bus,
  files: string[],
  elsewhere: ReadonlyMap<string, string>,
  query: Search,
  matches: Match[],
  keep: (record: Buffer) => void,
): boolean {
  const named = namerOf(bus.home)
  let whole = true
  for (const file of files) {
    const { message, settled } = readNew(bus, pathOf(bus.home, elsewhere, file), file)
    if (message && settled) keep(corpusRecord(message))
    else whole = false
    if (message && passes(named(entryOf(message)), query) && matchingLine(message, query.words))
      matches.push({ file, time: message.timestamp })
  }
  return whole
}

/** A message as its file has it, if that is one, with the names of then, which the corpus keeps; `settled` where nobody can still be writing it. */
function readNew(bus: Bus, path: string, file: string): { message?: Message; settled?: boolean } {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  const message = readMessageFile(path, file)
  if (written === undefined || typeof message !== 'object') return {}
  return { message, settled: Math.abs(bus.clock.now() - written) > YOUNG_MS }
}

function passes({ from, to, kind, timestamp }: Entry, query: Search): boolean {
  if (query.from !== undefined && from !== query.from) return false
  if (query.to !== undefined && to !== query.to) return false
  if (query.kind !== undefined && kind !== query.kind) return false
  return query.since === undefined || Date.parse(timestamp) >= query.since
}

function entryOf({ id, from, to, kind, timestamp }: Message): Entry {
  return { id, from, to, kind, timestamp }
}

/** The newest of what matches, as the files have it now. */
function confirm(home: Home, { matches, elsewhere }: Matches, words: string[], limit: number): Found {
  const newest = matches.sort((a, b) => compare(b.time, a.time) || compare(b.file, a.file))
  const hits: Hit[] = []
  let wrong = 0
  for (const { file } of newest) {
    if (hits.length >= limit) break
    const message = readMessageFile(pathOf(home, elsewhere, file), file, home)
    const line = typeof message === 'object' ? matchingLine(message, words) : undefined
    if (typeof message === 'object' && line) hits.push({ message, line })
    else wrong += 1
  }
  return { hits, found: matches.length - wrong }
}

function pathOf(home: Home, elsewhere: ReadonlyMap<string, string>, file: string): string {
  return elsewhere.get(file) ?? `${home.messages}/${file}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
