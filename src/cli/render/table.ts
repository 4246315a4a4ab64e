import { visibleLine } from '../../message/visible.ts'

/**
 * Rows under a heading, in columns as wide as their widest cell, two spaces apart. With `numbers`,
 * all but the first column stand to the right.
 */
export function table(heading: string[], rows: string[][], numbers?: 'numbers'): string {
  const lines = [heading, ...rows].map((row) => row.map(visibleLine))
  const widths = heading.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  )
  const padded = (cell: string, column: number) => {
    const blank = ' '.repeat((widths[column] ?? 0) - [...cell].length)
    return numbers && column > 0 ? blank + cell : cell + blank
  }
  return lines.map((line) => `${line.map(padded).join('  ').trimEnd()}\n`).join('')
}
