import { structuredPatch } from 'diff'

/** A unified diff, cut to a few lines, and how much it says altogether. */
export type ShortDiff = { lines: string[]; more: number; added: number; removed: number }

/** What a note has room for, in lines and in bytes; and how long one line may be, in characters. */
const MAX_LINES = 40
const MAX_BYTES = 4096
const MAX_LINE = 200

/** Two texts that have nothing in common take long to compare, in milliseconds. */
const MAX_MS = 1000

/** The difference between two texts; undefined where finding it takes too long. */
export function shortDiff(before: string, after: string): ShortDiff | undefined {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 2,
    timeout: MAX_MS,
  })
  if (patch === undefined) return undefined
  const all = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  const shown = fitting(all.map(shortLine))
  const count = (sign: string) =>
    patch.hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length
  return { lines: shown, more: all.length - shown.length, added: count('+'), removed: count('-') }
}

function fitting(lines: string[]): string[] {
  let left = MAX_BYTES
  const end = lines.findIndex((line, at) => {
    left -= Buffer.byteLength(line) + 1
    return at === MAX_LINES || left < 0
  })
  return end < 0 ? lines : lines.slice(0, end)
}

function shortLine(line: string): string {
  const chars = line.length > MAX_LINE ? [...line] : []
  return chars.length > MAX_LINE ? `${chars.slice(0, MAX_LINE).join('')}…` : line
}
