import { existsSync } from 'node:fs'
import { eventsFromEnd, type HistoryEvent } from '../history.ts'
import type { Home } from '../home.ts'

/** `missing`: neither unread nor read, for example after somebody removed the file. */
type Place = 'unread' | 'read' | 'missing'

/** The stages of a message, in their order. */
export const STAGES = ['sent', 'rung', 'presented', 'read', 'answered'] as const
export type StageName = (typeof STAGES)[number]

/** Those that events of their own tell of. An answer tells of itself. */
const TOLD = STAGES.filter((stage) => stage !== 'answered')

/** What the gate may do to a message on its way. */
const HOLDS = ['held', 'resumed'] as const

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

/** What has become of a message: its place, and its stages by the history, in their order. */
export type Fate = { place: Place; stages: Stage[] }

/**
 * Looks for the place in the inbox, and for the stages in the history, from its end back to the
 * moment when the message was sent. `to` is the name that the recipient has now.
 */
export function fateOf(home: Home, id: string, to: string): Fate {
  const stages: Stage[] = []
  for (const event of eventsFromEnd(home, id)) {
    if (isAnswer(event, id, to))
      stages.push({ stage: 'answered', at: event.at, by: String(event.id) })
    const stage = [...TOLD, ...HOLDS].find((known) => known === event.event)
    if (!stage) continue
    const about = event.id === id || (Array.isArray(event.ids) && event.ids.includes(id))
    if (!about) continue
    const doorbell = typeof event.doorbell === 'string' ? { doorbell: event.doorbell } : {}
    const why = typeof event.why === 'string' && stage === 'held' ? { why: event.why } : {}
    stages.push({ stage, at: String(event.at), ...doorbell, ...why })
    // An event that doctor added later may be behind those that followed it.
    if (stage === 'sent' && event.mended !== true) break
  }
  return { place: placeOf(home, id, to), stages: stages.reverse() }
}

/** How far a message has come. One that is in `read/` was read, whatever the history has of it. */
export function highestStage(fate: Fate): StageName {
  const reached = fate.stages.map(({ stage }) => STAGES.indexOf(stage as StageName))
  if (fate.place === 'read') reached.push(STAGES.indexOf('read'))
  return STAGES[Math.max(0, ...reached)] ?? 'sent'
}

function isAnswer(event: HistoryEvent, id: string, to: string): boolean {
  return event.event === 'sent' && event.in_reply_to === id && event.from === to
}

function placeOf(home: Home, id: string, to: string): Place {
  if (existsSync(home.unread(to, id))) return 'unread'
  return existsSync(home.read(to, id)) ? 'read' : 'missing'
}
