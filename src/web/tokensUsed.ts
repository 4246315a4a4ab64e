import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { midnight } from '../message/time.ts'
import type { Clock } from '../system/clock.ts'
import { unless } from '../system/errno.ts'
import { namesIn } from '../system/files.ts'
import { type Cursor, readUsage } from './usage.ts'

/** What sessions have cost today, in tokens. */
export type TokensUsed = {
  /**
   * The tokens of a session by the records of its conversations; null where there are none, or not
   * yet. What is new there is read meanwhile: it is in the answer to a later question.
   */
  of: (name: string, transcripts: string[]) => number | null
  /** Whether one of the records that were asked for has grown since. */
  grew: () => boolean
}

/** What is known of one session. `answers`: the tokens of each one, by its id. */
type Known = {
  day: number
  paths: string[]
  /** How the records were when they were last read. */
  marks: string
  cursors: Map<string, Cursor>
  answers: Map<string, number>
  sum: number
  /** The sum as it was after a whole reading. */
  told: number | null
  reads: boolean
}

/** A path comes from a hook's payload: it may lead nowhere. */
const NOWHERE = ['ENOTDIR', 'EACCES', 'ENAMETOOLONG']

/** So many answers are known by their ids: the lines of one are beside each other. */
const KEPT = 5000

/** `changed`: there is another answer now; `fault`: a record could not be read. */
export function openTokensUsed(
  { now }: Pick<Clock, 'now'>,
  changed: () => void,
  fault: (error: unknown) => void,
): TokensUsed {
  const sessions = new Map<string, Known>()
  let grown = ''
  return {
    of: (name, transcripts) => {
      const day = midnight(now())
      const before = sessions.get(name)
      const known = before?.day === day ? before : unread(day)
      sessions.set(name, known)
      known.paths = transcripts
      if (!known.reads) read(known, changed).catch(fault)
      return known.told
    },
    grew: () => {
      const before = grown
      // Only the last conversation of each goes on.
      grown = marksOf([...sessions.values()].flatMap(({ paths }) => paths.slice(0, 1)))
      return grown !== before
    },
  }
}

function unread(day: number): Known {
  return {
    ...{ day, paths: [], marks: '', cursors: new Map() },
    ...{ answers: new Map(), sum: 0, told: null, reads: false },
  }
}

/** Reads what is new, and again while there is more; nothing where all is as it was. */
async function read(known: Known, changed: () => void): Promise<void> {
  const before = known.told
  known.reads = true
  try {
    for (let now = marksOf(known.paths); now !== known.marks; now = marksOf(known.paths)) {
      known.marks = now
      for (const path of known.paths.flatMap(withSubagents)) {
        const from = known.cursors.get(path)
        const to = await readUsage(path, from, known.day, (usage) => count(known, usage))
        if (to) known.cursors.set(path, to)
      }
    }
  } finally {
    known.reads = false
  }
  if (known.answers.size > 0) known.told = known.sum
  if (known.told !== before) changed()
}

function count(known: Known, { id, tokens }: { id: string; tokens: number }): void {
  const { answers } = known
  const before = answers.get(id) ?? 0
  if (tokens <= before) return
  known.sum += tokens - before
  answers.delete(id)
  answers.set(id, tokens)
  for (const oldest of answers.keys()) if (answers.size > KEPT) answers.delete(oldest)
}

function marksOf(paths: string[]): string {
  return paths
    .map(statOf)
    .map((found) => `${found?.ino}:${found?.size}`)
    .join()
}

function statOf(path: string) {
  return unless(NOWHERE, () => statSync(path, { throwIfNoEntry: false }))
}

/** The record of a conversation, and those of its subagents: where these end, it goes on itself. */
function withSubagents(path: string): string[] {
  const directory = join(dirname(path), basename(path, '.jsonl'), 'subagents')
  const names = unless(NOWHERE, () => namesIn(directory)) ?? []
  return [
    path,
    ...names.filter((name) => name.endsWith('.jsonl')).map((name) => join(directory, name)),
  ]
}
