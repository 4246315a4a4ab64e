import type { Bus } from '../bus/bus.ts'
import { noteLine } from '../session/needsLine.ts'
import { sessionsNow } from '../session/sessionRows.ts'
import type { ProcessRef } from '../system/processes.ts'
import { needsNow } from './needs.ts'
import { type NeedRow, needRow, REASONS } from './overview.ts'

/** A session's name, also one on another machine. Nothing else that others wrote is in the line. */
const NAME = /^[a-z0-9][a-z0-9.@-]*$/

/**
 * One line for the status line of tmux or Claude Code: how many need you, and who is the first of
 * them. Empty where nobody does.
 */
export function lineOf(rows: NeedRow[]): string {
  const [first] = rows
  if (first === undefined) return ''
  const named = first.session !== null && NAME.test(first.session)
  const who = named ? `@${first.session} ` : ''
  return `${rows.length} ${rows.length === 1 ? 'needs' : 'need'} you · ${who}${REASONS[first.reason]}`
}

/** Makes the line true again, for as long as the process `watcher` runs. */
export async function keepLine(
  ports: { bus: () => Bus } & Parameters<typeof sessionsNow>[0],
  watcher: ProcessRef,
): Promise<void> {
  const bus = ports.bus()
  noteLine(bus.home, lineOf(needsNow(bus, await sessionsNow(ports)).map(needRow)), watcher)
}
