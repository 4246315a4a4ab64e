import { existsSync } from 'node:fs'
import { eventsFromEnd } from './history.ts'
import type { Home } from './home.ts'

/** Where a message stands. `missing`: neither unread nor read, for example after somebody removed the file. */
export type Place = 'unread' | 'read' | 'missing'

/** One stage that a message has reached, with its time (ISO 8601) and, for a ring, the doorbell. */
export type Stage = { stage: 'sent' | 'rung' | 'presented' | 'read'; at: string; doorbell?: string }

/** What has become of a message: its place, and the stages that the history tells of, in their order. */
export type Fate = { place: Place; stages: Stage[] }

const STAGES = new Set(['sent', 'rung', 'presented', 'read'])

/** Looks at the inbox for the place and, from the end of the history back to the moment it was sent, for the stages. */
export function fateOf(home: Home, id: string, to: string): Fate {
  const stages: Stage[] = []
  for (const event of eventsFromEnd(home)) {
    if (!STAGES.has(event.event)) continue
    const about = event.id === id || (Array.isArray(event.ids) && event.ids.includes(id))
    if (!about) continue
    const doorbell = typeof event.doorbell === 'string' ? { doorbell: event.doorbell } : {}
    stages.push({ stage: event.event as Stage['stage'], at: String(event.at), ...doorbell })
    if (event.event === 'sent') break
  }
  return { place: placeOf(home, id, to), stages: stages.reverse() }
}

function placeOf(home: Home, id: string, to: string): Place {
  if (existsSync(home.unread(to, id))) return 'unread'
  return existsSync(home.read(to, id)) ? 'read' : 'missing'
}
