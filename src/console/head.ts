import { existsSync } from 'node:fs'
import { awayNow } from '../feed/away.ts'
import { needsNow } from '../feed/needs.ts'
import { type SessionRow, sessionsNow } from '../session/sessionRows.ts'
import { createThrottle } from '../system/throttle.ts'
import { peopleOf } from './people.ts'
import type { Ports } from './ports.ts'
import type { Store } from './store.ts'
import type { Waiting } from './waiting.ts'

/**
 * Who is here and what needs the human, made anew when asked for, but not too often. `needs`: as
 * of the sessions that were seen last.
 */
export type Head = { people: () => void; needs: () => void; close: () => void }

/** The least time between two looks. In milliseconds. */
const PEOPLE_MS = 1000
const NEEDS_MS = 300

export function openHead(
  ports: Pick<Ports, 'bus' | 'env' | 'tmux'>,
  store: Store,
  waiting: Waiting,
  fault: (error: unknown) => void,
): Head {
  const bus = ports.bus()
  let rows: SessionRow[] | undefined
  const lookForNeeds = () => {
    if (rows === undefined) return
    const needs = needsNow(bus, rows)
    store.update((room) => (same(room, { needs }) ? room : { ...room, needs }))
  }
  const lookAround = async () => {
    rows = await sessionsNow(ports)
    const people = peopleOf(rows, ports)
    const away = awayNow(bus, bus.clock.now(), store.room().away)
    const found = { people, away, paused: existsSync(bus.home.paused), looking: false }
    store.update((room) => (same(room, found) ? room : { ...room, ...found }))
    lookForNeeds()
    for (const { text, about } of waiting.look()) store.tell('event', text, about)
  }
  const people = createThrottle(lookAround, PEOPLE_MS, fault)
  const needs = createThrottle(lookForNeeds, NEEDS_MS, fault)
  return {
    people: people.ask,
    needs: needs.ask,
    close: () => {
      people.close()
      needs.close()
    },
  }
}

/** Whether a look has found what is known: then nothing is drawn. */
function same<T extends object>(known: T, found: Partial<T>): boolean {
  return Object.entries(found).every(
    ([key, value]) => JSON.stringify(known[key as keyof T]) === JSON.stringify(value),
  )
}
