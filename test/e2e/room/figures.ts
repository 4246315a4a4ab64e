import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { pinnedVersion } from '../harness/install.ts'

/** The middle, the least, the greatest and the number of some values. */
export function figures(values: readonly number[], unit: string): string {
  const sorted = [...values].sort((a, b) => a - b)
  const told = (value = Number.NaN) => (unit === '%' ? value.toFixed(2) : String(Math.round(value)))
  const middle = told(sorted[Math.floor(sorted.length / 2)])
  return `${middle} ${unit} (${told(sorted[0])} to ${told(sorted.at(-1))}, n=${sorted.length})`
}

/** Prints a table, and with `page` writes it there, between the two marks of its part. */
export async function writeFigures(
  part: string,
  load: number,
  rows: readonly (readonly string[])[],
  page: string | undefined,
): Promise<void> {
  const [begin, end] = [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`]
  const lines = [['', 'goal', 'measured'], ['---', '---', '---'], ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const when = new Date().toISOString().slice(0, 10)
  const where = `${when}, Claude Code ${await pinnedVersion()}, ${process.platform}, ${cpus().length} cores`
  const measured = `${begin}\n${where}, load ${load.toFixed(1)} before it.\n\n${table}\n${end}`
  console.log(measured)
  if (page === undefined) return
  const text = readFileSync(page, 'utf8')
  const place = new RegExp(`${begin}[\\s\\S]*${end}`)
  if (!place.test(text)) throw new Error(`${page} has no place for ${part}`)
  writeFileSync(
    page,
    text.replace(place, () => measured),
  )
}
