import { visibleLine } from '../../message/visible.ts'

/** Rows under a heading, in columns as wide as their widest cell, two spaces apart. */
export function table(heading: string[], rows: string[][]): string {
  const lines = [heading, ...rows].map((row) => row.map(visibleLine))
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
