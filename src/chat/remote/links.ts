import { statSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import {
  isUp,
  type Peer,
  peers,
  queuedIds,
  readPeer,
  readSeen,
  unlinkPeer,
  writePeer,
} from '../../bus/remote/peers.ts'
import { readRan } from '../../bus/remote/ran.ts'
import { CodedError } from '../../errors.ts'
import { hostOf, nameOf } from '../../message/address.ts'
import { timeOfId } from '../../message/id.ts'
import { nearest } from '../../message/nearest.ts'
import { plural } from '../../message/text.ts'
import { isoTime } from '../../message/time.ts'
import { endedWithMachine, KEPT_MS } from '../../session/launched.ts'
import { namesIn } from '../../system/files.ts'
import { liveHolder } from '../../system/pidlock.ts'
import { pause, timeLeft } from '../../system/timeLeft.ts'
import { remoteRecipient } from './recipient.ts'

/**
 * A link, as data. `seen`: the last answered ping (ISO 8601). `oldest`: since when the oldest queued
 * message waits. `pid`: the process that dials from here.
 * `team`: that in which it was met, through a server.
 */
export type LinkRow = {
  host: string
  address: string | null
  team: string | null
  up: boolean
  seen: string | null
  version: string | null
  sessions: { name: string; state: string }[]
  queued: number
  oldest: string | null
  refused: number
  bad: number
  skew_ms: number
  round_trip_ms: number | null
  pid: number | null
}

/** Every link of this home. */
export function linkRows(bus: Bus): LinkRow[] {
  return peers(bus.home).map((peer) => rowOf(bus, peer))
}

/** A link that should run and does not; `with_machine` as of a session that ended. */
export type RestLink = Pick<LinkRow, 'host' | 'address'> & {
  last_seen: string
  with_machine: boolean
}

/** The links that were dialled from here, and have ended, but not by choice, within 14 days. */
export function restLinks(bus: Bus): RestLink[] {
  const { home, clock, processes } = bus
  return peers(home).flatMap(({ host, dial }) => {
    const ran = dial && readRan(home, host)
    if (!ran || processes.isAlive(ran.agent) || liveHolder(home.linkLock(host), processes))
      return []
    const seen = Math.max(ran.at, readSeen(home, host)?.at ?? 0)
    if (clock.now() - seen > KEPT_MS) return []
    const last_seen = isoTime(Math.floor(seen))
    return [{ host, address: dial.address, last_seen, with_machine: endedWithMachine(ran, bus) }]
  })
}

/** A session on a linked machine, as that machine told when it was last `seen` (ISO 8601). */
export type RemoteRow = { name: string; state: string } & Pick<LinkRow, 'host' | 'up' | 'seen'>

/** The sessions of every linked machine, under the names by which they are written to. */
export function remoteRows(bus: Bus): RemoteRow[] {
  return linkRows(bus).flatMap(({ host, up, seen, sessions }) =>
    sessions.map(({ name, state }) => ({ name: `${name}.${host}`, state, host, up, seen })),
  )
}

/** What is known here of one of them. Throws as `remoteRecipient()`. */
export function remoteStatus(bus: Bus, address: string): RemoteRow & { queued: number } {
  const known = remoteRecipient(bus, address)
  const host = hostOf(known) ?? ''
  const link = linkRows(bus).find((row) => row.host === host)
  const { up = false, seen = null, queued = 0 } = link ?? {}
  const state = link?.sessions.find(({ name }) => name === nameOf(known))?.state ?? 'unknown'
  return { name: known, state, host, up, seen, queued }
}

function rowOf({ home, clock, processes }: Bus, { host, dial, team }: Peer): LinkRow {
  const seen = readSeen(home, host)
  const [first, ...others] = queuedIds(home, host)
  const dialler = liveHolder(home.linkLock(host), processes)
  const since = first === undefined ? 0 : timeOfId(first) || queuedAt(home.outgoing(host, first))
  return {
    host,
    address: dial?.address ?? null,
    team: team ?? null,
    up: isUp(seen, clock.now()),
    seen: seen === undefined ? null : isoTime(Math.floor(seen.at)),
    version: seen?.version ?? null,
    sessions: seen?.sessions ?? [],
    queued: first === undefined ? 0 : others.length + 1,
    oldest: first === undefined ? null : isoTime(Math.floor(since)),
    refused: namesIn(`${home.peer(host)}/refused`).length,
    bad: namesIn(home.peerBad(host)).length,
    skew_ms: seen?.skewMs ?? 0,
    round_trip_ms: seen && seen.roundTripMs > 0 ? seen.roundTripMs : null,
    pid: dialler?.pid ?? null,
  }
}

function queuedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/**
 * Ends a link: from now on its machine is refused, and nothing can be sent there. Throws
 * `HOST_UNKNOWN`, `LOCKED` while a process dials it, and `USAGE` while messages are queued for it,
 * unless `force`. Returns when the process that it is connected to here has ended; `still` is that
 * process where it goes on after `ENDS_MS`, and refuses each message.
 */
export function unlink(
  bus: Bus,
  host: string,
  force: boolean,
): { peer: Peer; still: number | undefined } {
  const { home, processes } = bus
  const peer = readPeer(home, host)
  if (peer === undefined || peer.unlinked) {
    const near = nearest(
      host,
      peers(home).map((one) => one.host),
    )
    throw new CodedError('HOST_UNKNOWN', `no machine named ${host} is linked`, {
      hint: near
        ? `did you mean: agent-chat unlink ${near}`
        : 'see the links with: agent-chat links',
    })
  }
  const dialler = liveHolder(home.linkLock(host), processes)
  if (dialler)
    throw new CodedError('LOCKED', `the link to ${host} runs (process ${dialler.pid})`, {
      hint: `end it first: kill -INT ${dialler.pid}; or stop its service`,
    })
  const queued = queuedIds(home, host).length
  if (queued > 0 && !force)
    throw new CodedError('USAGE', `${plural(queued, 'message')} for ${host} would not arrive`, {
      hint: `to unlink all the same: agent-chat unlink ${host} --force; to deliver them: agent-chat link ${host} --once`,
    })
  unlinkPeer(bus, peer)
  const left = timeLeft(ENDS_MS)
  let end = liveHolder(home.farEndLock(host), processes)
  for (; end && left() > 0; end = liveHolder(home.farEndLock(host), processes)) pause(LOOK_MS)
  return { peer, still: end?.pid }
}

/** The far end of a link looks at least this often whether its machine is still linked. In ms. */
const ENDS_MS = 6000
const LOOK_MS = 20

/** Lets a machine that was unlinked link again. Throws `HOST_UNKNOWN`. */
export function allow(bus: Bus, host: string): Peer {
  const peer = readPeer(bus.home, host)
  if (peer === undefined)
    throw new CodedError('HOST_UNKNOWN', `no machine named ${host} was linked`, {
      hint: 'see the links with: agent-chat links',
    })
  const { unlinked: _, ...rest } = peer
  writePeer(bus, rest)
  return rest
}
