import { visibleLine } from '../../message/visible.ts'
import type { Started } from '../../worker/supervise/control.ts'
import type { Ended } from '../../worker/supervise/end.ts'
import type { Health, HealthRow } from '../../worker/supervise/health.ts'
import { table } from './table.ts'
import { lasting } from './time.ts'

/** What became of a worker that was to be started, on one line. */
export function startedLine({ name, pid, state, reason }: Started): string {
  if (state === 'started') return `✓ @${name} started (pid ${pid})\n`
  if (state === 'running') return `✓ @${name} is running (pid ${pid})\n`
  const why = visibleLine(reason ?? 'no reason is known')
  return `✗ @${name} ${state === 'failed' ? 'failed' : 'has not started'}: ${why}; see: agent-chat logs ${name}\n`
}

/** What became of one that was to be ended. */
export function endedLine({ name, ended }: Ended): string {
  if (ended === 'before') return `@${name} was not running\n`
  return `stopped @${name}${ended === 'killed' ? '; it did not end when asked, so it was killed' : ''}\n`
}

/** Every worker on a line, and the supervisor below. */
export function healthTable({ supervisor, workers }: Health, now: number): string {
  const below =
    supervisor === null
      ? 'no supervisor is running; start it with: agent-chat up\n'
      : `supervisor: pid ${supervisor}\n`
  if (workers.length === 0)
    return `no worker has run yet; start one with: agent-chat up <name>\n${below}`
  const rows = workers.map((row) => [
    row.trouble === null ? '✓' : '✗',
    `@${row.name}`,
    `${row.state} for ${lasting(row.since, now)}`,
    row.pid === null ? '-' : String(row.pid),
    row.model ?? '-',
    uptime(row),
    String(row.requests),
    String(row.queue),
    [row.trouble ?? '', row.restarts === 0 ? '' : `started again ${row.restarts}×`]
      .filter(Boolean)
      .join('; '),
  ])
  const heading = ['', 'name', 'state', 'pid', 'model', 'up', 'requests', 'queue', '']
  return `${table(heading, rows)}${below}`
}

function uptime({ uptime_seconds: seconds }: HealthRow): string {
  return seconds === null ? '-' : lasting(new Date(0).toISOString(), seconds * 1000)
}
