import { existsSync } from 'node:fs'
import { hostOf } from '../../message/address.ts'
import { eventsAbout, type HistoryEvent } from '../history.ts'
import type { Home } from '../home.ts'

/**
 * `missing`: neither unread nor read, for example after somebody removed the file. `filed`: it is a
 * state of a task, which nobody reads. A message for another machine is `queued` here, `there`, or
 * `refused` by it.
 */
type Place = 'unread' | 'read' | 'filed' | 'missing' | 'queued' | 'there' | 'refused'

/**
 * The stages of a message, in their order. One for another machine is queued, and arrives; any
 * other is sent.
 */
export const STAGES = [
  'queued',
  'sent',
  'arrived',
  'rung',
  'presented',
  'read',
  'answered',
] as const
export type StageName = (typeof STAGES)[number]

/** Those that events of their own tell of. An answer tells of itself. */
const TOLD = STAGES.filter((stage) => stage !== 'answered' && stage !== 'queued')

/** What the gate, or another machine, may do to a message on its way. */
const HOLDS = ['held', 'resumed', 'refused-there'] as const

/**
 * One stage that a message has reached, or a hold on its way. `at` is ISO 8601; `doorbell` goes
 * with a ring, `why` with a hold, `by` is the id of an answer.
 */
export type Stage = {
  stage: StageName | (typeof HOLDS)[number]
  at: string
  doorbell?: string
  why?: string
  by?: string
}

/**
 * What has become of a message: its place, and its stages in the order of the history, but `queued`
 * or `sent` first.
 */
export type Fate = { place: Place; stages: Stage[] }

/**
 * Looks for the place in the inbox, and for the stages in the history. `to` is the name that the
 * recipient has now.
 */
export function fateOf(home: Home, id: string, to: string): Fate {
  const stages: Stage[] = []
  const begun: Stage[] = []
  let isFiled = false
  for (const event of eventsAbout(home, id)) {
    if (isAnswer(event, id, to))
      stages.push({ stage: 'answered', at: event.at, by: String(event.id) })
    isFiled ||= event.event === 'filed' && event.id === id
    const stage = [...TOLD, ...HOLDS].find((known) => known === event.event)
    if (!stage) continue
    const about = event.id === id || (Array.isArray(event.ids) && event.ids.includes(id))
    if (!about) continue
    const doorbell = typeof event.doorbell === 'string' ? { doorbell: event.doorbell } : {}
    const isHold = stage === 'held' || stage === 'refused-there'
    const why = typeof event.why === 'string' && isHold ? { why: event.why } : {}
    const name = stage === 'sent' && hostOf(to) !== undefined ? 'queued' : stage
    // A `sent` that doctor added later keeps its place.
    const list = stage === 'sent' && event.mended !== true ? begun : stages
    list.push({ stage: name, at: String(event.at), ...doorbell, ...why })
  }
  const place = placeOf(home, id, to)
  const shown = isFiled && place === 'read' ? 'filed' : place
  return { place: shown, stages: [...begun, ...stages.reverse()] }
}

/** How far a message has come. Where its file is counts, whatever the history has of it. */
export function highestStage(fate: Fate): StageName {
  const reached = fate.stages.map(({ stage }) => STAGES.indexOf(stage as StageName))
  const least = STAGES.indexOf(LEAST[fate.place])
  return STAGES[Math.max(least, ...reached)] ?? 'sent'
}

const LEAST: Record<Place, StageName> = {
  unread: 'sent',
  missing: 'sent',
  read: 'read',
  filed: 'sent',
  queued: 'queued',
  refused: 'queued',
  there: 'arrived',
}

function isAnswer(event: HistoryEvent, id: string, to: string): boolean {
  return event.event === 'sent' && event.in_reply_to === id && event.from === to
}

function placeOf(home: Home, id: string, to: string): Place {
  const host = hostOf(to)
  if (host !== undefined) {
    if (existsSync(home.outgoing(host, id))) return 'queued'
    return existsSync(home.refusedThere(host, id)) ? 'refused' : 'there'
  }
  if (existsSync(home.unread(to, id))) return 'unread'
  return existsSync(home.read(to, id)) ? 'read' : 'missing'
}
