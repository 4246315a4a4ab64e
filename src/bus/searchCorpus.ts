import { closeSync, fstatSync, readSync } from 'node:fs'
import type { Message } from '../message/message.ts'
import { openIfThere } from '../system/files.ts'
import type { Home } from './home.ts'
import { fold, searchedText } from './searchText.ts'

/*
 * The corpus is one file with the folded text of every message, so that a search reads one file and not as many as there are messages:
 *
 *     agent-chat search 1 <generation>
 *     <file> <bytes of the text> <from> <to> <kind> <timestamp>
 *     <text>NUL
 *     …
 *
 * It can be lost at any time, and is only ever appended to or replaced, then as another generation: whoever reads it is not disturbed. A record
 * that a crash has cut has no NUL where its text should end, or one before.
 */

/** What stands in the corpus of a message besides its text. */
export type Entry = Pick<Message, 'id' | 'from' | 'to' | 'kind' | 'timestamp'>

/** A state of the corpus: how much of which generation. `broken` where not all of it is records, or it is none of ours. */
export type Extent = { size: number; generation: string; broken: boolean }

/**
 * A record while it is looked at: valid until the next. `file` is the message's file name, `time` its timestamp; `has` tells whether a word, by its
 * place in the list, occurs in the text.
 */
export type CorpusRecord = {
  file: () => string
  time: () => string
  entry: () => Entry
  has: (word: number) => boolean
  bytes: () => Buffer
}

/** How much is read at once, in bytes. No record is that long: a message holds at most 384 KB. */
const CHUNK = 4 * 1024 * 1024
const NUL = 0
const NEWLINE = 0x0a
const BLANK = 0x20

const HEAD = /^agent-chat search 1 (\d{20})\n$/
const HEAD_LENGTH = corpusHead('').length

/** The first line of a corpus of this generation, a number in digits. */
export function corpusHead(generation: string): string {
  return `agent-chat search 1 ${generation.padStart(20, '0')}\n`
}

/** The record of a message, as it is appended. */
export function corpusRecord(message: Message): Buffer {
  const text = Buffer.from(fold(searchedText(message)))
  const { id, from, to, kind, timestamp } = message
  return Buffer.concat([
    Buffer.from(`${id}.md ${text.length} ${from} ${to} ${kind} ${timestamp}\n`),
    text,
    Buffer.of(NUL),
  ])
}

/**
 * Calls `look` with each record, in the order of the file, of which it reads what was there when it began; `words` are folded. Gives what was
 * read, or undefined where there is no corpus.
 */
export function scanCorpus(
  home: Pick<Home, 'corpus'>,
  words: readonly string[],
  look: (record: CorpusRecord) => void,
): Extent | undefined {
  const fd = openIfThere(home.corpus)
  if (fd === undefined) return undefined
  try {
    const { size } = fstatSync(fd)
    const generation = generationOf(fd)
    if (generation === undefined) return { size, generation: '', broken: true }
    const needles = words.map((word) => Buffer.from(word))
    return { size, generation, broken: !scanRecords(fd, size, (chunk) => scanChunk(chunk, needles, look)) }
  } finally {
    closeSync(fd)
  }
}

/** What the corpus is now, without a look at its records. */
export function corpusNow(home: Pick<Home, 'corpus'>): Omit<Extent, 'broken'> | undefined {
  const fd = openIfThere(home.corpus)
  if (fd === undefined) return undefined
  try {
    return { size: fstatSync(fd).size, generation: generationOf(fd) ?? '' }
  } finally {
    closeSync(fd)
  }
}

function generationOf(fd: number): string | undefined {
  const head = Buffer.alloc(HEAD_LENGTH)
  readSync(fd, head, 0, head.length, 0)
  return HEAD.exec(head.toString('latin1'))?.[1]
}

/** Whether all of the file, from behind its head, is records. `scan` gives where the last whole one in a chunk ends, undefined where one is none. */
function scanRecords(fd: number, size: number, scan: (chunk: Buffer) => number | undefined): boolean {
  // One buffer for all: what is left of a chunk moves to its front.
  const buffer = Buffer.allocUnsafeSlow(Math.min(2 * CHUNK, size))
  let rest = 0
  for (let position = HEAD_LENGTH; position < size; ) {
    const count = readSync(fd, buffer, rest, Math.min(CHUNK, size - position), position)
    if (count === 0) return false
    position += count
    const filled = rest + count
    const end = scan(buffer.subarray(0, filled))
    if (end === undefined) return false
    buffer.copyWithin(0, end, filled)
    rest = filled - end
    if (rest > CHUNK) return false
  }
  return rest === 0
}

function scanChunk(chunk: Buffer, words: Buffer[], look: (record: CorpusRecord) => void): number | undefined {
  // Each word's next place in the chunk: a rare one is searched for once, not once for each record.
  const next = words.map(() => -1)
  let [at, text, end] = [0, 0, 0]
  const record: CorpusRecord = {
    file: () => chunk.toString('latin1', at, chunk.indexOf(BLANK, at)),
    time: () => chunk.toString('latin1', chunk.lastIndexOf(BLANK, text - 1) + 1, text - 1),
    entry: () => entryOf(chunk.toString('latin1', at, text - 1)),
    has: (word) => {
      if ((next[word] ?? 0) < text) next[word] = placeOf(chunk, words[word], text)
      return (next[word] ?? end) < end
    },
    bytes: () => chunk.subarray(at, end + 1),
  }
  for (end = chunk.indexOf(NUL, at); end >= 0; end = chunk.indexOf(NUL, at)) {
    text = chunk.indexOf(NEWLINE, at) + 1
    if (text <= at || text > end || lengthIn(chunk, at, text) !== end - text) return undefined
    look(record)
    at = end + 1
  }
  return at
}

/** The number behind the first blank of a record's first line; -1 where none stands there. */
function lengthIn(chunk: Buffer, at: number, end: number): number {
  let place = chunk.indexOf(BLANK, at) + 1
  if (place <= at + 1) return -1
  let length = 0
  for (; place < end; place += 1) {
    const digit = (chunk[place] ?? 0) - 0x30
    if (digit < 0 || digit > 9) break
    length = length * 10 + digit
  }
  return chunk[place] === BLANK ? length : -1
}

function placeOf(chunk: Buffer, word: Buffer | undefined, start: number): number {
  const at = word === undefined ? -1 : chunk.indexOf(word, start)
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

function entryOf(line: string): Entry {
  const [file = '', , from = '', to = '', kind = '', timestamp = ''] = line.split(' ')
  return { id: file.slice(0, -3), from, to, kind, timestamp }
}
