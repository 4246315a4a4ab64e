import { visibleLine } from '../../message/visible.ts'
import { type Stats, type Tally, tokensOf } from '../stats.ts'
import { plural } from './text.ts'
import { localTime } from './time.ts'

const LEVELS = '▁▂▃▄▅▆▇█'
const BAR = '█'
const WIDEST_BAR = 30
const NARROWEST_BAR = 4

/** The statistics in lines of at most `columns`, as far as numbers and names allow. */
export function renderStats(stats: Stats, columns: number): string {
  const { total, sessions, pairs } = stats
  if (total.messages === 0) return 'no messages\n'
  const sum = `${number(total.messages)} message${total.messages === 1 ? '' : 's'}, ${size(total.bytes)}, ~${number(tokensOf(total))} tokens (bytes / 4)\n`
  const bySession = sessions.map(({ name, sent, received }) => [`@${name}`, ...cells(sent), ...cells(received)])
  return [
    sum,
    `\n${renderTime(stats, columns)}`,
    `\n${fitted(['session', 'sent', 'tokens', 'received', 'tokens'], bySession, columns)}`,
    `\n${fitted(['from → to', 'sent', 'tokens'], pairs.map(pairCells), columns, pairs.map(tokensOf))}`,
  ].join('')
}

/** A line of signs, one for each hour or day, or for several where there are more than fit. */
function renderTime({ unit, buckets, until }: Stats, columns: number): string {
  const each = Math.ceil(buckets.length / Math.max(1, columns))
  const counts: number[] = []
  for (let at = 0; at < buckets.length; at += each)
    counts.push(buckets.slice(at, at + each).reduce((sum, { messages }) => sum + messages, 0))
  const most = Math.max(...counts)
  const per = each === 1 ? unit : `${each} ${unit}s`
  const shown = (time: number) => localTime(new Date(time).toISOString()).slice(0, unit === 'day' ? 10 : 16)
  const from = buckets[0]?.start ?? until
  return `messages per ${per}, ${shown(from)} to ${shown(until)}, at most ${number(most)}:\n${counts.map((count) => spark(count, most)).join('')}\n`
}

/** Nothing is a dot, so that the least is still something. */
function spark(count: number, most: number): string {
  return count === 0 ? '·' : (LEVELS[Math.ceil((count / most) * LEVELS.length) - 1] ?? '')
}

function pairCells({ from, to, ...tally }: { from: string; to: string } & Tally): string[] {
  return [`@${from} → @${to}`, ...cells(tally)]
}

function cells(tally: Tally): string[] {
  return [number(tally.messages), `~${number(tokensOf(tally))}`]
}

/**
 * A table with numbers to the right and, with `values`, a bar behind each row as long as there is room for. Where even the table is too wide, each
 * cell has a line of its own.
 */
function fitted(heading: string[], rows: string[][], columns: number, values?: number[]): string {
  const lines = [heading, ...rows].map((row) => row.map(visibleLine))
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)))
  const wide = widths.reduce((sum, width) => sum + width + 2, -2)
  const pad = (cell: string, column: number) => {
    const blank = ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length))
    return column === 0 ? cell + blank : blank + cell
  }
  if (wide > columns)
    return lines
      .slice(1)
      .map(([name, ...rest]) => stacked(name, heading.slice(1), rest))
      .join('')
  const room = Math.min(WIDEST_BAR, columns - wide - 2)
  const bars = values === undefined || room < NARROWEST_BAR ? [] : barsOf(values, room)
  return lines
    .map((line, at) => `${[...line.map(pad), ...(at === 0 ? [] : bars.slice(at - 1, at))].join('  ').trimEnd()}\n`)
    .join('')
}

function stacked(name: string | undefined, heading: string[], cells: string[]): string {
  return [name, ...cells.map((cell, at) => `  ${heading[at]} ${cell}`), ''].join('\n')
}

function barsOf(values: number[], room: number): string[] {
  const most = Math.max(1, ...values)
  return values.map((value) => BAR.repeat(Math.max(1, Math.round((value / most) * room))))
}

/** `12,345` */
function number(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

function size(bytes: number): string {
  if (bytes < 10_000) return plural(bytes, 'byte')
  return bytes < 10_000_000 ? `${number(Math.round(bytes / 1000))} KB` : `${number(Math.round(bytes / 1e6))} MB`
}
