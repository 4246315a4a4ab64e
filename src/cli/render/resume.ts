import type { Outcome } from '../../chat/resume/bringBack.ts'
import type { EndedRow } from '../../chat/resume/rows.ts'
import type { LinkBack } from '../../link/back.ts'
import { shortPath } from './paths.ts'
import { table } from './table.ts'
import { ago } from './time.ts'

const HEADING = 'session|folder|agent|last seen|unread|tasks|mode|options|comes back with'.split(
  '|',
)

/** Something else that ran, with its name as it is written, and what it goes on with. */
type OtherRow = {
  name: string
  agent: string
  goes_on: string
  folder?: string
  last_seen?: string
}

/** What may come back, a row each; a column that says nothing of any is left out. */
export function resumeTable(
  rows: (EndedRow | OtherRow)[],
  userHome: string | undefined,
  now: number,
): string {
  const cells = rows.map((row) =>
    'conversation' in row ? cellsOf(row, userHome, now) : otherCells(row, userHome, now),
  )
  const says = (_: string, column: number) => cells.some((row) => row[column] !== '')
  return table(
    HEADING.filter(says),
    cells.map((row) => row.filter(says)),
  )
}

function otherCells(row: OtherRow, userHome: string | undefined, now: number): string[] {
  const { name, agent, goes_on, folder = '', last_seen } = row
  const seen = last_seen === undefined ? '' : ago(last_seen, now)
  return [name, shortPath(folder, userHome), agent, seen, '', '', '', '', goes_on]
}

function cellsOf(row: EndedRow, userHome: string | undefined, now: number): string[] {
  return [
    `@${row.name}`,
    shortPath(row.folder, userHome),
    row.agent,
    ago(row.last_seen, now),
    row.unread === 0 ? '' : String(row.unread),
    row.open_tasks === 0 ? '' : String(row.open_tasks),
    row.mode ?? '',
    [...row.options, ...row.left.map((name) => `${name} (left out)`)].join(' '),
    row.not ? `nothing: ${row.not}` : comesWith(row),
  ]
}

function comesWith({ conversation, fresh }: EndedRow): string {
  return conversation ? 'its conversation' : `a new conversation: ${fresh}`
}

/** What became of one of them. */
export function outcomeLine({ name, outcome, why, conversation, unread }: Outcome): string {
  const mail = unread === 0 ? '' : `; ${unread} unread`
  switch (outcome) {
    case 'back':
      return `✓ @${name} is back with its conversation ${conversation}${mail}\n`
    case 'fresh':
      return `✓ @${name} is back with a new conversation: ${why}${mail}\n`
    default:
      return `${outcome === 'left' ? '-' : '✗'} @${name} was not started: ${why}\n`
  }
}

/** What became of a link. */
export function linkLine({ host, state, pid }: LinkBack): string {
  if (state === 'failed')
    return `✗ the link to ${host} has ended; see why with: agent-chat link ${host}\n`
  const done = state === 'up' ? 'is up' : 'dials; see it with: agent-chat links'
  return `✓ the link to ${host} ${done} (process ${pid})\n`
}
