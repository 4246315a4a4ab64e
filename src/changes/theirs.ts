import { readFileSync } from 'node:fs'
import { unless } from '../system/errno.ts'
import { comparable } from './edit.ts'
import { type Hunk, hunksOf, isAt, linesOf, nearestRun, withHunks } from './lines.ts'
import type { Edited, Note, NotedHunk } from './notes.ts'

/**
 * A change of a peer's: `hunk` changes lines of `from`, which begins at line `first` of their file,
 * from 0. `known`: the text at hand has it already; `met`: what is about to be written meets it.
 */
export type Theirs = {
  hunk: Hunk
  from: readonly string[]
  first: number
  known: boolean
  met: boolean
}

/** A text that is about to be edited, as lines, and what it will be. */
export type Writing = { before: readonly string[]; after: readonly string[] }

/** Lines from `start` up to `end`, which is not included. */
type Range = { start: number; end: number }

/** A call that was let through may still wait for a yes, or be at work. In milliseconds. */
const WAITING_MS = 60_000

/**
 * The changes of a peer in another tree: what their file is now, or will be in a moment, against what
 * it was before they began. The edit is compared with the same text, as git would merge the two.
 */
export function inAnotherTree(note: Note, { before, after }: Writing, now: number): Theirs[] {
  const base = linesOf(comparable(note.file, note.base ?? ''))
  const theirs = waitedFor(fileOf(note), note, now)
  const touched = new Set(
    note.edits.flatMap(({ hunks }) => hunks.flatMap((hunk) => [...hunk.before, ...hunk.lines])),
  )
  const own = hunksOf(base, before)
  const edited = hunksOf(base, after).filter((hunk) => !own.some((one) => sameHunk(one, hunk)))
  return hunksOf(base, theirs)
    .filter(({ start, end, lines }) =>
      [...base.slice(start, end), ...lines].some((line) => touched.has(line)),
    )
    .map((hunk) => {
      const { start, end } = imageOf(hunk, own)
      const known = has(before.slice(start, end), hunk, base)
      const met = edited.some((one) => meets(one, hunk))
      return { hunk, from: base, first: 0, known, met }
    })
}

function sameHunk(one: Hunk, two: Hunk): boolean {
  return (
    one.start === two.start &&
    one.end === two.end &&
    one.lines.length === two.lines.length &&
    isAt(one.lines, 0, two.lines)
  )
}

/** Whether two changes share a line once each is widened by one at both ends. */
function meets(one: Range, two: Range): boolean {
  return Math.max(one.start, two.start) - 1 < Math.min(one.end, two.end) + 1
}

/**
 * The changes of a peer in the same tree since `read`, where they are in the text now, or will be.
 */
export function inThisTree(
  note: Note,
  { before: text, after }: Writing,
  read: string | undefined,
  now: number,
): Theirs[] {
  const edited = hunksOf(text, after)
  return note.edits
    .filter(({ at }) => read === undefined || at > read)
    .flatMap((edit) =>
      edit.hunks.flatMap((hunk) => {
        const place = placeIn(text, hunk, hunk.lines)
        const later = place < 0 && waits(edit, now) ? placeIn(text, hunk, hunk.before) : -1
        if (place < 0 && later < 0) return []
        const start = Math.max(place, later)
        const range = { start, end: start + (place < 0 ? hunk.before : hunk.lines).length }
        const met = edited.some((one) => meets(one, range))
        return { ...withContext(hunk), known: false, met }
      }),
    )
}

/** A change with the lines around it. */
function withContext({
  above,
  below,
  before,
  lines,
  start,
}: NotedHunk): Pick<Theirs, 'hunk' | 'from' | 'first'> {
  const over = above === null ? [] : [above]
  const from = [...over, ...before, ...(below === null ? [] : [below])]
  const at = over.length
  return { hunk: { start: at, end: at + before.length, lines }, from, first: start - at }
}

/** Whether a call that was let through may not have run yet. */
function waits({ at, done }: Edited, now: number): boolean {
  return !done && now - Date.parse(at) < WAITING_MS
}

/** Where lines are, with what is above and below them in the hunk's file; -1 where they are not. */
function placeIn(
  text: readonly string[],
  { above, below, start }: NotedHunk,
  lines: string[],
): number {
  if (above === null && below === null)
    return text.length === lines.length && isAt(text, 0, lines) ? 0 : -1
  const run = [...(above === null ? [] : [above]), ...lines, ...(below === null ? [] : [below])]
  const place = nearestRun(text, run, start - 1)
  return place < 0 || above === null ? place : place + 1
}

function fileOf({ tree, file }: Note): string[] {
  const text = unless(['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR', 'ELOOP'], () =>
    readFileSync(`${tree}/${file}`, 'utf8'),
  )
  return linesOf(comparable(file, text ?? ''))
}

/** The lines after the calls that were let through a moment ago, and may not have been made yet. */
function waitedFor(lines: string[], { edits }: Note, now: number): string[] {
  let then = lines
  for (const edit of edits)
    if (waits(edit, now) && edit.hunks.every((hunk) => isAhead(then, hunk)))
      then = withHunks(then, edit.hunks)
  return then
}

/** Whether a change has not been made, and can be. */
function isAhead(
  lines: readonly string[],
  { start, lines: put, before, above, below }: NotedHunk,
): boolean {
  const around = (run: string[]) =>
    (above === null ? start === 0 : lines[start - 1] === above) &&
    isAt(lines, start, run) &&
    (below === null ? lines.length === start + run.length : lines[start + run.length] === below)
  return around(before) && !around(put)
}

/** Where lines of the base are in a text that was made from it by `own`. */
function imageOf({ start, end }: Range, own: readonly Hunk[]): Range {
  let [low, high] = [start, end]
  for (const hunk of own) {
    const more = hunk.lines.length - (hunk.end - hunk.start)
    // What a change has at its very edge belongs to its image: it stands where theirs would.
    if (hunk.end < start) low += more
    else if (hunk.start <= start) low -= start - hunk.start
    if (hunk.start <= end) high += hunk.end >= end ? hunk.lines.length - (end - hunk.start) : more
  }
  return { start: low, end: high }
}

/** Whether lines have a change already: exactly it, or, where it says something, among others. */
function has(
  image: readonly string[],
  { start, end, lines }: Hunk,
  base: readonly string[],
): boolean {
  if (image.length === lines.length && isAt(image, 0, lines)) return true
  if (lines.length === 0) return !base.slice(start, end).some((line) => image.includes(line))
  return lines.some((line) => /\w/.test(line)) && nearestRun(image, lines, 0) >= 0
}
