import type { Bus } from '../../bus/bus.ts'
import { ensureHome } from '../../bus/home.ts'
import { readMe } from '../../bus/remote/peers.ts'
import { type LinkRow, linkRows } from '../../chat/remote/links.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { quote } from '../../message/name.ts'
import { makeDirectory } from '../../system/files.ts'
import { liveHolder } from '../../system/pidlock.ts'
import { meOf } from '../meet.ts'
import { stateOf } from './admin.ts'
import { isAdmin, readTeam, readTicket, type Ticket, ticketIn, writeSecret } from './files.ts'
import type { StreamState } from './server.ts'

/** Makes this machine one of the team. Throws `USAGE` for a file that is no invitation. */
export function join(file: string, bus: Bus): Omit<Ticket, 'seed'> {
  const ticket = ticketIn(file)
  if (ticket === undefined)
    throw new CodedError('USAGE', `there is no file ${quote(file)}`, {
      hint: 'ask the admin for one: agent-chat bridge invite <host>',
    })
  const { seed: _, ...shown } = ticket
  ensureHome(bus.home)
  try {
    meOf(bus, ticket.host, ticket.host)
  } catch (error) {
    if (!isCoded(error, 'USAGE')) throw error
    throw invitedAs(ticket.host, error.message, readMe(bus.home)?.host)
  }
  makeDirectory(bus.home.bridge)
  writeSecret(bus.home.bridgeTicket, ticket)
  return shown
}

function invitedAs(host: string, why: string, called = host): CodedError {
  return new CodedError('USAGE', `this invitation is for ${host}, and ${why}`, {
    hint: `ask the admin for one for this machine: agent-chat bridge invite ${called}`,
  })
}

/** `pid`: the process that runs the bridge. `admin`: what only the team's admin can see. */
export type BridgeStatus = {
  team: string
  server: string
  host: string | null
  pid: number | null
  machines: Pick<LinkRow, 'host' | 'up' | 'seen' | 'queued'>[]
  admin: { invited: string[]; stream: StreamState | null; why: string | null } | null
}

/** The bridge of this home, and the team's server where it is administered from here. */
export async function statusOf(bus: Bus): Promise<BridgeStatus> {
  const { home, processes } = bus
  const ticket = isAdmin(home) ? ticketIn(home.bridgeTicket) : readTicket(home)
  const { team, server } = ticket ?? readTeam(home)
  const machines = linkRows(bus)
    .filter((row) => row.team === team)
    .map(({ host, up, seen, queued }) => ({ host, up, seen, queued }))
  const pid = liveHolder(home.bridgeLock, processes)?.pid ?? null
  const admin = isAdmin(home) ? await adminStatus(bus) : null
  return { team, server, host: ticket?.host ?? null, pid, machines, admin }
}

async function adminStatus({ home }: Bus): Promise<BridgeStatus['admin']> {
  const invited = Object.keys(readTeam(home).hosts).sort()
  try {
    return { invited, stream: await stateOf(home), why: null }
  } catch (error) {
    return { invited, stream: null, why: error instanceof Error ? error.message : String(error) }
  }
}
