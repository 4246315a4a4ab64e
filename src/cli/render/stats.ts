import { type Stats, type Tally, tokensOf } from '../../chat/stats.ts'
import { shortId } from '../../message/shortId.ts'
import { grouped, plural } from '../../message/text.ts'
import { isoTime } from '../../message/time.ts'
import { visibleLine } from '../../message/visible.ts'
import { localTime } from '../../system/zone.ts'
import type { Costs, Spent } from '../../worker/costs/tally.ts'
import { table } from './table.ts'

const LEVELS = '▁▂▃▄▅▆▇█'
const BAR = '█'
const WIDEST_BAR = 30
const NARROWEST_BAR = 4

/** The statistics in lines of at most `columns`, as far as numbers and names allow. */
export function renderStats(stats: Stats, columns: number): string {
  const { total, sessions, pairs } = stats
  if (total.messages === 0) return 'no messages\n'
  const sum = `${grouped(total.messages)} message${total.messages === 1 ? '' : 's'}, ${size(total.bytes)}, ~${grouped(tokensOf(total))} tokens (bytes / 4)\n`
  const bySession = sessions.map(({ name, sent, received }) => [
    `@${name}`,
    ...cells(sent),
    ...cells(received),
  ])
  return [
    sum,
    `\n${renderTime(stats, columns)}`,
    `\n${fitted(['session', 'sent', 'tokens', 'received', 'tokens'], bySession, columns)}`,
    `\n${fitted(['from → to', 'sent', 'tokens'], pairs.map(pairCells), columns, pairs.map(tokensOf))}`,
  ].join('')
}

/** As many chains as one reads: the dearest. */
const MOST_CHAINS = 10

/** What workers cost, each of them and each chain, as their client counts it. Empty without any. */
export function renderCosts({ workers, chains }: Costs, columns: number): string {
  if (workers.length === 0) return ''
  const cells = ({ answers, input, output, usd }: Spent) => [
    ...[answers, input, output].map(grouped),
    `$${usd.toFixed(2)}`,
  ]
  const heading = ['answers', 'tokens in', 'tokens out', 'cost']
  const byWorker = workers.map((spent) => [`@${spent.name}`, ...cells(spent)])
  const byChain = chains
    .slice(0, MOST_CHAINS)
    .map((spent) => [shortId(spent.name), ...cells(spent)])
  return `\n${fitted(['worker', ...heading], byWorker, columns)}\n${fitted(['chain', ...heading], byChain, columns)}`
}

/** A line of signs, one for each hour or day, or for several where there are more than fit. */
function renderTime({ unit, buckets, until }: Stats, columns: number): string {
  const each = Math.ceil(buckets.length / Math.max(1, columns))
  const counts: number[] = []
  for (let at = 0; at < buckets.length; at += each)
    counts.push(buckets.slice(at, at + each).reduce((sum, { messages }) => sum + messages, 0))
  const most = Math.max(...counts)
  const per = each === 1 ? unit : `${each} ${unit}s`
  const shown = (time: number) => localTime(isoTime(time)).slice(0, unit === 'day' ? 10 : 16)
  const from = buckets[0]?.start ?? until
  return `messages per ${per}, ${shown(from)} to ${shown(until)}, at most ${grouped(most)}:\n${counts.map((count) => spark(count, most)).join('')}\n`
}

/** Nothing is a dot, so that the least is still something. */
function spark(count: number, most: number): string {
  return count === 0 ? '·' : (LEVELS[Math.ceil((count / most) * LEVELS.length) - 1] ?? '')
}

function pairCells({ from, to, ...tally }: { from: string; to: string } & Tally): string[] {
  return [`@${from} → @${to}`, ...cells(tally)]
}

function cells(tally: Tally): string[] {
  return [grouped(tally.messages), `~${grouped(tokensOf(tally))}`]
}

/**
 * A table, with a bar behind each row as long as there is room for `values`. Where even the table
 * is too wide, each cell has a line of its own.
 */
function fitted(heading: string[], rows: string[][], columns: number, values?: number[]): string {
  const lines = table(heading, rows, 'numbers').split('\n')
  const wide = [...(lines[0] ?? '')].length
  if (wide > columns) return rows.map((row) => stacked(row.map(visibleLine), heading)).join('')
  const room = Math.min(WIDEST_BAR, columns - wide - 2)
  const bars = values === undefined || room < NARROWEST_BAR ? [] : barsOf(values, room)
  return lines.map((line, at) => (bars[at - 1] ? `${line}  ${bars[at - 1]}` : line)).join('\n')
}

function stacked([name, ...cells]: string[], [, ...heading]: string[]): string {
  return [name, ...cells.map((cell, at) => `  ${heading[at]} ${cell}`), ''].join('\n')
}

function barsOf(values: number[], room: number): string[] {
  const most = Math.max(1, ...values)
  return values.map((value) => BAR.repeat(Math.max(1, Math.round((value / most) * room))))
}

function size(bytes: number): string {
  if (bytes < 10_000) return plural(bytes, 'byte')
  return bytes < 10_000_000
    ? `${grouped(Math.round(bytes / 1000))} KB`
    : `${grouped(Math.round(bytes / 1e6))} MB`
}
