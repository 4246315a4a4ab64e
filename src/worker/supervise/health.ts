import { unreadCount } from '../../bus/mail/unread.ts'
import type { Ports } from '../../chat/ports.ts'
import {
  readWorkerState,
  reasonFor,
  STALE_MS,
  type WorkerActivity,
} from '../../session/workerState.ts'
import { supervisorOf, workerNames } from '../../session/workers.ts'
import { workerProcess } from './stateFile.ts'
import { readWanted } from './wanted.ts'

/**
 * How a worker is. `trouble`: why it is not healthy, null where it is. `queue`: what waits in its
 * inbox. `restarts`: how often it was started again lately. Times are ISO 8601.
 */
export type HealthRow = {
  name: string
  state: WorkerActivity
  since: string
  trouble: string | null
  reason: string | null
  pid: number | null
  model: string | null
  uptime_seconds: number | null
  requests: number
  message: string | null
  beat: string
  restarts: number
  queue: number
}

/** The supervisor's process, null without one, and every worker that has ever run. */
export type Health = { supervisor: number | null; healthy: boolean; workers: HealthRow[] }

export function healthOf(ports: Pick<Ports, 'bus'>): Health {
  const bus = ports.bus()
  const supervisor = supervisorOf(bus)?.pid ?? null
  const workers = workerNames(bus.home).flatMap((name) => rowOf(name, ports) ?? [])
  const wanted = readWanted(bus.home)
  const alone = workers.map((row) =>
    row.trouble === null &&
    supervisor === null &&
    row.pid !== null &&
    wanted[row.name]?.want === 'up'
      ? { ...row, trouble: 'no supervisor looks after it: agent-chat up' }
      : row,
  )
  return { supervisor, healthy: alone.every(({ trouble }) => trouble === null), workers: alone }
}

function rowOf(name: string, { bus: open }: Pick<Ports, 'bus'>): HealthRow | undefined {
  const bus = open()
  const state = readWorkerState(bus.home, name)
  if (!state) return undefined
  const pid = workerProcess(bus, name)?.pid ?? null
  const now = bus.clock.now()
  const { activity, since, model = null, message = null, requests, beat } = state
  const reason = reasonFor(state, now)
  return {
    ...{ name, state: activity, since, reason, pid, model, message, requests, beat },
    trouble:
      troubleOf(activity, pid, now - Date.parse(beat), reason) ??
      (state.quiet === undefined && activity !== 'idle' ? null : reason),
    uptime_seconds: pid === null ? null : Math.floor((now - Date.parse(state.started)) / 1000),
    restarts: state.restarts.length,
    queue: unreadCount(bus.home, name),
  }
}

function troubleOf(
  activity: WorkerActivity,
  pid: number | null,
  silentMs: number,
  reason: string | null,
): string | null {
  if (activity === 'stopped') return null
  if (activity === 'failed' || activity === 'crashed' || activity === 'stalled')
    return reason ?? `it has ${activity}`
  if (pid === null) return 'its process is gone'
  return silentMs > STALE_MS ? `no sign of life for ${Math.floor(silentMs / 1000)} s` : null
}
