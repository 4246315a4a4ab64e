import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'evidence', 'agents.md')
const [BEGIN, END] = ['<!-- measured: begin -->', '<!-- measured: end -->']
const HEAD = 'agent | case | runs | lost | twice | harmed | p50 ms | p95 ms | load | day'

/** A row of the table: its cells, of which the first two say what was played. */
export type Row = string[]

/** The text with these rows in place of those of the same agent and case, in the order of `keys`. */
export function merged(text: string, rows: Row[], order: (row: Row) => number): string {
  const [before, rest = ''] = text.split(BEGIN)
  const [table = '', after] = rest.split(END)
  const isSame = (a: Row, b: Row) => a[0] === b[0] && a[1] === b[1]
  const known = rowsOf(table).filter((row) => !rows.some((one) => isSame(one, row)))
  const all = [...known, ...rows].sort((a, b) => order(a) - order(b))
  const lines = [HEAD, HEAD.replace(/[^|]+/g, '---'), ...all.map((row) => row.join(' | '))]
  return `${before}${BEGIN}\n${lines.map((line) => `| ${line} |`).join('\n')}\n${END}${after}`
}

function rowsOf(table: string): Row[] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'))
  const rows = lines.slice(2).map((line) => line.slice(2, -2).split(' | '))
  return rows.filter(({ length }) => length === HEAD.split('|').length)
}

/** Puts rows into the page, and leaves the others there. */
export async function write(rows: Row[], order: (row: Row) => number): Promise<void> {
  await writeFile(PAGE, merged(await readFile(PAGE, 'utf8'), rows, order))
}
