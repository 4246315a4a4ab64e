import type { Bus } from '../../src/bus/bus.ts'
import { ensureHome, type Home, homeAt } from '../../src/bus/home.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { type Clock, systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { eventsOf, filesIn } from '../../src/testing/home.ts'

/** A sender into the queue of b: the product's own steps, from four sessions by turns. */
export function sender(home: Home, clock: Clock = systemClock()): () => string {
  const bus: Bus = { home: homeAt(home.root), clock, processes: systemProcesses() }
  ensureHome(bus.home)
  let count = 0
  return () => {
    const from = SENDERS[count % SENDERS.length] ?? 'backend'
    count += 1
    const body = `message ${count}`
    return sendMessage(bus, { from, to: 'frontend.b', kind: 'note', body }).message.id
  }
}

export const SENDERS = ['backend', 'docs', 'tests', 'ops']

/** Of what was sent: how many are not there, are there twice, or came behind a later one. */
export type Counts = { sent: number; lost: number; twice: number; order: number }

/** Counts in the inbox of @frontend at b and in its history: each message once in both. */
export function count(home: Home, sent: readonly string[]): Counts {
  const arrived = eventsOf(home, 'sent')
    .map(({ id }) => String(id))
    .filter((id) => id.endsWith('.a'))
  const there = new Set(filesIn(home.inbox('frontend')).map((file) => file.slice(0, -3)))
  const known = new Set(arrived)
  const lost = sent.filter((id) => !there.has(`${id}.a`) || !known.has(`${id}.a`)).length
  return { sent: sent.length, lost, twice: arrived.length - known.size, order: disorder(arrived) }
}

function disorder(ids: readonly string[]): number {
  const last = new Map<string, string>()
  let wrong = 0
  for (const id of ids) {
    const from = id.slice(id.indexOf('-from-'))
    if ((last.get(from) ?? '') > id) wrong += 1
    else last.set(from, id)
  }
  return wrong
}
