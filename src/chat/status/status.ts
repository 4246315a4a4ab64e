import { existsSync } from 'node:fs'
import { findSession, nameMeant, type Session } from '../../bus/names/registry.ts'
import { HUMAN, parseName } from '../../message/name.ts'
import { type SessionRow, sessionRows } from '../../session/sessionRows.ts'
import { seenBy } from '../../session/withheld.ts'
import { sessionsAndWorkers } from '../../session/workers.ts'
import { readerHere, whoMaybe } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { unknownSession } from '../recipient.ts'
import { otherStatus, type StatusRow, sessionStatus, statusFacts } from './statusRow.ts'

type StatusPorts = Pick<Ports, 'bus' | 'env' | 'typed' | 'tmux'>

/**
 * The status of one session, of this one, or of every registered one and every worker in the order
 * of names. Throws `SESSION_UNKNOWN` for one that is not registered and has left no inbox.
 */
export async function statusOf(
  argument: string | undefined,
  ports: StatusPorts,
): Promise<StatusRow[]> {
  const bus = ports.bus()
  const sessions = sessionsAndWorkers(bus)
  const name =
    argument === undefined
      ? whoMaybe(ports, sessions)?.name
      : nameMeant(bus.home, sessions, parseName(argument))
  if (name === undefined) return registered(Object.values(sessions), ports)
  const session = findSession(sessions, name)
  if (session) return registered([session], ports)
  if (name !== HUMAN && !existsSync(bus.home.inbox(name))) {
    const { elsewhere } = await import('../remote/recipient.ts')
    throw elsewhere(bus, name, unknownSession(name, Object.keys(sessions)))
  }
  return [otherStatus(name, factsFor(ports), bus)]
}

/** The status of every registered session, in the order of names. */
export function everyStatus(ports: StatusPorts): Promise<(SessionRow & StatusRow)[]> {
  return registered(Object.values(sessionsAndWorkers(ports.bus())), ports)
}

async function registered(
  sessions: Session[],
  ports: StatusPorts,
): Promise<(SessionRow & StatusRow)[]> {
  const bus = ports.bus()
  const rows = await sessionRows(sessions, ports)
  const choices = new Map(sessions.map(({ name, doorbell }) => [name, doorbell]))
  const facts = factsFor(ports)
  return rows.map((row) => sessionStatus(row, choices.get(row.name) ?? 'auto', facts, bus))
}

/** Where hooks do not run, titles of others are not shown. */
function factsFor(ports: StatusPorts) {
  return statusFacts(ports.bus(), seenBy(readerHere(ports), ports.bus()))
}
