import { CodedError } from '../errors.ts'
import { isoTime } from '../message/time.ts'
import { faultPoint } from '../system/fault.ts'
import { namesIn, replaceFile } from '../system/files.ts'
import type { Bus } from './bus.ts'
import { record } from './history.ts'
import type { Home } from './home.ts'
import { type Rename, readRenames } from './names.ts'
import { asOnlyReader } from './reader.ts'
import { findSession, type Session, type Sessions, updateSessions } from './registry.ts'
import { moveBelongings, removeEmpty } from './renameMove.ts'

type OnAside = (path: string) => void

/**
 * Gives a registered session another name, and moves all that is kept under the old one. The rename is written down first and the registry follows; ended
 * anywhere after that, `settleRenames` does the rest. Gives the session as it is now, or undefined where none has the old name. Throws `NAME_TAKEN`, and
 * `LOCKED` while the session's inbox is being printed, before anything is changed.
 */
export async function renameSession(
  bus: Bus,
  from: string,
  to: string,
  onAside: OnAside,
): Promise<Session | undefined> {
  await settleRenames(bus, onAside)
  const renamed = await asOnlyReader(bus, from, async () => {
    let renamed: Session | undefined
    await updateSessions(
      bus,
      (sessions) => {
        const session = findSession(sessions, from)
        if (session === undefined) return undefined
        requireFree(bus.home, sessions, to)
        writeDown(bus, from, to)
        faultPoint('rename:recorded')
        renamed = { ...session, name: to }
        return withName(sessions, from, renamed)
      },
      onAside,
      () => finish(bus),
    )
    return renamed
  })
  // The lock of its reader stood there until now.
  if (renamed) removeEmpty(bus.home.inbox(from))
  return renamed
}

/** Does the rest of renames whose process ended half-way. Without any, it costs one look. */
export async function settleRenames(bus: Bus, onAside: OnAside): Promise<void> {
  const begun = readRenames(bus.home).filter(({ done }) => !done)
  if (begun.length === 0) return
  await updateSessions(
    bus,
    (sessions) => {
      const next = begun.reduce(followed, sessions)
      return next === sessions ? undefined : next
    },
    onAside,
    () => finish(bus),
  )
}

/** A session takes this name: from now on it is no other's old one. Called under the registry's lock. */
export function takeName(bus: Pick<Bus, 'home' | 'clock'>, name: string): void {
  const renames = readRenames(bus.home)
  if (renames.some(({ from, until }) => from === name && until === null)) write(bus.home, ended(renames, name, bus))
}

/** A name with an inbox that is not empty belongs to whoever comes back to it. */
function requireFree(home: Home, sessions: Sessions, name: string): void {
  if (findSession(sessions, name)) {
    throw new CodedError('NAME_TAKEN', `@${name} is registered`, {
      hint: `choose another name, or have that session leave first: agent-chat leave ${name}`,
    })
  }
  const kept = [home.inbox(name), home.readDirectory(name)].flatMap(namesIn).filter((file) => file.endsWith('.md'))
  if (kept.length === 0) return
  throw new CodedError('NAME_TAKEN', `@${name} has left, and its inbox still holds messages`, {
    hint: 'choose another name',
  })
}

function writeDown(bus: Bus, from: string, to: string): void {
  const at = isoTime(bus.clock.now())
  write(bus.home, [...ended(readRenames(bus.home), to, bus), { from, to, at, until: null, done: false }])
}

function ended(renames: readonly Rename[], name: string, { clock }: Pick<Bus, 'clock'>): Rename[] {
  const until = isoTime(clock.now())
  return renames.map((rename) => (rename.from === name && rename.until === null ? { ...rename, until } : rename))
}

/** The registry after a rename that it may not know of yet. */
function followed(sessions: Sessions, { from, to }: Rename): Sessions {
  const session = findSession(sessions, from)
  return session && !findSession(sessions, to) ? withName(sessions, from, { ...session, name: to }) : sessions
}

function withName(sessions: Sessions, from: string, session: Session): Sessions {
  const others = Object.entries(sessions).filter(([name]) => name !== from)
  return { ...Object.fromEntries(others), [session.name]: session }
}

function finish(bus: Bus): void {
  faultPoint('rename:registered')
  for (const { from, to, done } of readRenames(bus.home)) {
    if (done) continue
    moveBelongings(bus, from, to)
    const settled = readRenames(bus.home).map((one) =>
      one.from === from && one.to === to ? { ...one, done: true } : one,
    )
    write(bus.home, settled)
    record(bus, 'renamed', { from, to })
  }
}

function write(home: Pick<Home, 'names'>, renames: readonly Rename[]): void {
  replaceFile(home.names, `${JSON.stringify(renames, null, 2)}\n`)
}
