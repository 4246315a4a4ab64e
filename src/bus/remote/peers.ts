import { rmSync, statSync, utimesSync } from 'node:fs'
import { NAME_PATTERN } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import { unless } from '../../system/errno.ts'
import {
  entriesIn,
  makeDirectory,
  namesIn,
  replaceFile,
  replaceFileSoon,
} from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import type { Bus } from '../bus.ts'
import { ensureHome, type Home } from '../home.ts'
import { inHome } from '../homeError.ts'

/** What this machine is called by others. `id` tells this home from one with the same name. */
export type Me = { host: string; id: string }

/** How ssh reaches a machine: `there` is the path of agent-chat on it. */
export type Dial = { address: string; ssh: string[]; there?: string | undefined }

/**
 * Another machine. `id`: that of its home, once it has been met. `dial`: where this one dials.
 * `team`: the team in which it was met, on a server.
 */
export type Peer = {
  host: string
  id?: string
  dial?: Dial
  team?: string
  created: string
  unlinked?: true
}

/** A session on another machine, as that machine told. */
export type RemoteSession = { name: string; state: string }

/** What is known of a machine since the last contact, which was at `at` (ms since 1970). */
export type Seen = {
  at: number
  version: string
  sessions: RemoteSession[]
  /** How far its clock is ahead of this one, in milliseconds. */
  skewMs: number
  /** How long it took to answer the last ping, in milliseconds; 0 before the first. */
  roundTripMs: number
  /** How often it gives a sign of life, in milliseconds. */
  everyMs: number
}

/** Signs of life come this often, unless their sender says otherwise. In milliseconds. */
export const EVERY_MS = 5000

/** Without one for so long, a machine is away. In milliseconds. */
export function awayAfterMs(everyMs: number): number {
  return 3 * everyMs + 1000
}

/** Whether a machine has answered, and given a sign of life not long ago. */
export function isUp(seen: Seen | undefined, now: number): boolean {
  return seen !== undefined && seen.roundTripMs > 0 && now - seen.at < awayAfterMs(seen.everyMs)
}

/** Undefined where this home was never linked. */
export function readMe(home: Pick<Home, 'remoteMe'>): Me | undefined {
  const { host, id } = fieldsOf(home.remoteMe)
  return isHost(host) && typeof id === 'string' ? { host, id } : undefined
}

/** Gives this home its name among machines. It stays: ids on other machines have it. */
export function writeMe({ home }: Pick<Bus, 'home'>, me: Me): void {
  inHome(home, () => {
    ensureHome(home)
    makeDirectory(home.remote)
    replaceFile(home.remoteMe, `${JSON.stringify(me)}\n`)
  })
}

/** The machines that this home was linked with, in the order of their names. */
export function peers(home: Home): Peer[] {
  return entriesIn(home.remote)
    .filter((entry) => entry.isDirectory() && isHost(entry.name))
    .flatMap(({ name }) => readPeer(home, name) ?? [])
    .filter(({ unlinked }) => !unlinked)
    .sort((a, b) => (a.host < b.host ? -1 : 1))
}

/** Also one that was unlinked since. */
export function readPeer(home: Pick<Home, 'peerFile'>, host: string): Peer | undefined {
  const { id, dial, team, created, unlinked } = fieldsOf(home.peerFile(host))
  if (typeof created !== 'string') return undefined
  return {
    host,
    created,
    ...(typeof id === 'string' ? { id } : {}),
    ...(isDial(dial) ? { dial } : {}),
    ...(typeof team === 'string' ? { team } : {}),
    ...(unlinked === true ? { unlinked } : {}),
  }
}

export function writePeer({ home }: Pick<Bus, 'home'>, { host, ...peer }: Peer): void {
  inHome(home, () => {
    makeDirectory(home.out(host))
    replaceFile(home.peerFile(host), `${JSON.stringify(peer)}\n`)
  })
}

/** What is known of a machine that was met. */
export function readSeen(home: Pick<Home, 'peerSeen'>, host: string): Seen | undefined {
  const at = statSync(home.peerSeen(host), { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return undefined
  const { version, sessions, skewMs, roundTripMs, everyMs } = fieldsOf(home.peerSeen(host))
  return {
    at,
    version: typeof version === 'string' ? version : '',
    sessions: remoteSessions(sessions),
    skewMs: typeof skewMs === 'number' ? skewMs : 0,
    roundTripMs: typeof roundTripMs === 'number' ? roundTripMs : 0,
    everyMs: typeof everyMs === 'number' ? everyMs : EVERY_MS,
  }
}

/** It can be made again: nothing waits for the disk. */
export function writeSeen(
  home: Home,
  host: string,
  seen: Omit<Seen, 'at' | 'everyMs'> & Partial<Seen>,
): void {
  replaceFileSoon(home.peerSeen(host), `${JSON.stringify(seen)}\n`)
}

/** Notes that a machine has answered at this time. */
export function touchSeen(home: Home, host: string, now: number): void {
  unless(['ENOENT'], () => utimesSync(home.peerSeen(host), now / 1000, now / 1000))
}

/**
 * Forgets whose home it was, and what was told. Its address stays, for a link
 * that is allowed again; what is queued, refused or bad stays for its owner to see.
 */
export function unlinkPeer(bus: Pick<Bus, 'home' | 'clock'>, peer: Peer): void {
  const { id: _, created, ...way } = peer
  for (const path of [bus.home.peerSeen(peer.host), bus.home.peerRan(peer.host)])
    rmSync(path, { force: true })
  writePeer(bus, { ...way, created: created || isoTime(bus.clock.now()), unlinked: true })
}

/** The ids that wait for a machine, oldest first. */
export function queuedIds(home: Pick<Home, 'out'>, host: string): string[] {
  return namesIn(home.out(host))
    .filter((file) => file.endsWith('.md') && !file.startsWith('.'))
    .map((file) => file.slice(0, -'.md'.length))
    .sort()
}

/** The sessions in a value that another machine sent or a file has: checked, and not too many. */
export function remoteSessions(value: unknown): RemoteSession[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MOST_SESSIONS).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('name' in one)) return []
    const { name, state } = one as { name: unknown; state?: unknown }
    if (!isHost(name)) return []
    return [{ name, state: typeof state === 'string' && /^[a-z]{1,16}$/.test(state) ? state : '-' }]
  })
}

const MOST_SESSIONS = 1000

function isHost(value: unknown): value is string {
  return typeof value === 'string' && NAME_PATTERN.test(value)
}

function isDial(value: unknown): value is Dial {
  if (typeof value !== 'object' || value === null) return false
  const { address, ssh, there } = value as Partial<Record<keyof Dial, unknown>>
  return (
    typeof address === 'string' &&
    Array.isArray(ssh) &&
    ssh.every((arg) => typeof arg === 'string') &&
    (there === undefined || typeof there === 'string')
  )
}

function fieldsOf(path: string): Record<string, unknown> {
  const value = readJson(path)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
