import type { Bus } from '../bus/bus.ts'
import { visibleLine } from '../message/visible.ts'
import { endedLaunches, endedWithMachine } from '../session/launched.ts'
import { limitEnd } from '../session/limitEnd.ts'
import type { SessionRow } from '../session/sessionRows.ts'
import { localTime } from '../system/zone.ts'
import type { Need } from './need.ts'
import { placeOf } from './place.ts'

type Named = Extract<Need, { name: string }>

/** What ended badly or cannot go on by itself: workers, turns, agents, and hooks that do not run. */
export function failedNeeds(bus: Bus, rows: SessionRow[]): Named[] {
  const ofRows = rows.flatMap((row) => worker(row) ?? turn(row, bus) ?? hooks(row, bus) ?? [])
  return [...ofRows, ...agents(bus)]
}

function worker({ name, worker }: SessionRow): Named | undefined {
  if (worker?.activity !== 'failed') return undefined
  const why = visibleLine(worker.reason ?? 'it does not say why')
  return need('failed', name, worker.since, why, `agent-chat restart ${name}`)
}

/** A turn that ended by an error of the API, while no other is under way. */
function turn(row: SessionRow, { clock }: Bus): Named | undefined {
  const { name, state, failed } = row
  if (!failed || state !== 'idle') return undefined
  const error = visibleLine(failed.error)
  const end = limitEnd(failed.error, Date.parse(failed.at))
  const isLimited = end === undefined ? LIMIT.test(error) : end > clock.now()
  const until = end === undefined ? '' : ` until ${localTime(new Date(end).toISOString())}`
  return isLimited
    ? need('limited', name, failed.at, `its usage limit is reached${until}: ${error}`, placeOf(row))
    : need('failed', name, failed.at, `its last turn failed: ${error}`, placeOf(row))
}

/** How Claude Code says so where it tells no time (2.1.329). */
const LIMIT =
  /\b(usage|session|weekly|hourly|\d+-hour|Opus|Sonnet) limit\b|\bhit your\b.*\blimit\b/i

/** A client that has just started has told nothing yet. In milliseconds. */
const STARTS_MS = 15_000

function hooks({ name, joined_at, no_hooks: why, alive }: SessionRow, { clock }: Bus) {
  const isNew = clock.now() - Date.parse(joined_at) < STARTS_MS
  if (why === undefined || alive !== 'alive' || isNew) return undefined
  return need('failed', name, joined_at, visibleLine(why), 'agent-chat doctor')
}

/** Sessions whose agent ended by itself, until they come back or leave. */
function agents(bus: Bus): Named[] {
  return endedLaunches(bus).flatMap(({ name, launch }) => {
    const { fell } = launch
    if (!fell || endedWithMachine(launch, bus)) return []
    const how = fell.signal ?? `exit code ${fell.code}`
    return need('failed', name, fell.at, `its agent ended (${how})`, `agent-chat resume ${name}`)
  })
}

function need(type: Named['type'], name: string, at: string, why: string, answer: string): Named {
  return { type, key: `${type} ${name} ${at}`, name, at, why, answer }
}
