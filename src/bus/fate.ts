import { existsSync } from 'node:fs'
import { eventsFromEnd, type HistoryEvent } from './history.ts'
import type { Home } from './home.ts'
import { nameNow } from './names.ts'

/** Where a message stands. `missing`: neither unread nor read, for example after somebody removed the file. */
export type Place = 'unread' | 'read' | 'missing'

/** The stages of a message, in their order. */
export const STAGES = ['sent', 'rung', 'presented', 'read', 'answered'] as const
export type StageName = (typeof STAGES)[number]

/** Those that events of their own tell of. An answer tells of itself. */
const TOLD = STAGES.filter((stage) => stage !== 'answered')

/** What the gate may do to a message on its way. */
const HOLDS = ['held', 'resumed'] as const

/**
 * One stage that a message has reached, or what held it on its way: its time (ISO 8601), the doorbell of a ring, the reason of a hold, the id of
 * an answer.
 */
export type Stage = {
  stage: StageName | (typeof HOLDS)[number]
  at: string
  doorbell?: string
  why?: string
  by?: string
}

/** What has become of a message: its place, and the stages that the history tells of, in their order. */
export type Fate = { place: Place; stages: Stage[] }

/** Looks at the inbox for the place and, from the end of the history back to the moment it was sent, for the stages. */
export function fateOf(home: Home, id: string, recipient: string): Fate {
  // It may have been renamed while somebody waits for what becomes of the message.
  const to = nameNow(home, recipient)
  const stages: Stage[] = []
  for (const event of eventsFromEnd(home, id)) {
    if (isAnswer(event, id, to)) stages.push({ stage: 'answered', at: event.at, by: String(event.id) })
    const stage = [...TOLD, ...HOLDS].find((known) => known === event.event)
    if (!stage) continue
    const about = event.id === id || (Array.isArray(event.ids) && event.ids.includes(id))
    if (!about) continue
    const doorbell = typeof event.doorbell === 'string' ? { doorbell: event.doorbell } : {}
    const why = typeof event.why === 'string' && stage === 'held' ? { why: event.why } : {}
    stages.push({ stage, at: String(event.at), ...doorbell, ...why })
    // An event that doctor has added later may stand after those that followed it.
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
