import { CodedError } from '../../errors.ts'
import { isoTime } from '../../message/time.ts'
import { faultPoint } from '../../system/fault.ts'
import { namesIn, replaceFile } from '../../system/files.ts'
import type { Bus } from '../bus.ts'
import { record } from '../history.ts'
import type { Home } from '../home.ts'
import { asOnlyReader } from '../mail/reader.ts'
import { type Rename, readRenames, renamesVersion } from './names.ts'
import {
  findSession,
  lostLock,
  readSessions,
  type Session,
  type Sessions,
  updateSessions,
} from './registry.ts'
import { moveBelongings, removeEmpty } from './renameMove.ts'

/**
 * Gives a registered session another name, and moves everything that is kept under the old one. The
 * rename is written down first and the registry follows; a process that ends anywhere after that
 * leaves the rest to `settleRenames`. Gives the session as it is now, or undefined where no session
 * has the old name. Throws `NAME_TAKEN`, and `LOCKED` while the session's inbox is being printed,
 * before anything is changed.
 */
export async function renameSession(
  bus: Bus,
  from: string,
  to: string,
): Promise<Session | undefined> {
  await settleRenames(bus)
  const renamed = await asOnlyReader(bus, from, async () => {
    let renamed: Session | undefined
    await updateSessions(
      bus,
      (sessions, stillHeld) => {
        const session = findSession(sessions, from)
        if (session === undefined) return undefined
        requireFree(bus.home, sessions, to)
        writeDown(bus, from, to, stillHeld)
        faultPoint('rename:recorded')
        renamed = { ...session, name: to }
        return withName(sessions, from, renamed)
      },
      () => finish(bus),
    )
    return renamed
  })
  // Until now it held the lock of its reader.
  if (renamed) removeEmpty(bus.home.inbox(from))
  return renamed
}

/** Finishes the renames whose process ended half-way. Without any, it costs one look. */
export async function settleRenames(bus: Bus): Promise<void> {
  const begun = readRenames(bus.home).filter(({ done }) => !done)
  if (begun.length === 0) return
  await updateSessions(
    bus,
    (sessions) => {
      const next = begun.reduce(followed, sessions)
      return next === sessions ? undefined : next
    },
    () => finish(bus),
  )
}

/** From now on this name is no other session's old one. Called under the registry's lock. */
export function takeName(
  bus: Pick<Bus, 'home' | 'clock'>,
  name: string,
  stillHeld: () => void,
): void {
  if (readRenames(bus.home).some(({ from, until }) => from === name && until === null))
    change(bus.home, (renames) => ended(renames, name, bus), stillHeld)
}

/** A name with an inbox that is not empty belongs to whoever comes back to it. */
function requireFree(home: Home, sessions: Sessions, name: string): void {
  if (findSession(sessions, name)) {
    throw new CodedError('NAME_TAKEN', `@${name} is registered`, {
      hint: `choose another name, or first run: agent-chat leave ${name}`,
    })
  }
  const kept = [home.inbox(name), home.readDirectory(name)]
    .flatMap(namesIn)
    .filter((file) => file.endsWith('.md'))
  if (kept.length === 0) return
  throw new CodedError('NAME_TAKEN', `@${name} has left, but its inbox still has messages`, {
    hint: 'choose another name',
  })
}

function writeDown(bus: Bus, from: string, to: string, stillHeld: () => void): void {
  const begun = { from, to, at: isoTime(bus.clock.now()), until: null, done: false }
  change(bus.home, (renames) => [...ended(renames, to, bus), begun], stillHeld)
}

function ended(renames: readonly Rename[], name: string, { clock }: Pick<Bus, 'clock'>): Rename[] {
  const until = isoTime(clock.now())
  return renames.map((rename) =>
    rename.from === name && rename.until === null ? { ...rename, until } : rename,
  )
}

/** The registry after a rename that it may not know of yet. */
function followed(sessions: Sessions, { from, to }: Rename): Sessions {
  const session = findSession(sessions, from)
  return session && !findSession(sessions, to)
    ? withName(sessions, from, { ...session, name: to })
    : sessions
}

function withName(sessions: Sessions, from: string, session: Session): Sessions {
  const others = Object.entries(sessions).filter(([name]) => name !== from)
  return { ...Object.fromEntries(others), [session.name]: session }
}

function finish(bus: Bus): void {
  faultPoint('rename:registered')
  for (const rename of readRenames(bus.home).filter(({ done }) => !done)) {
    const { from, to } = rename
    const isIt = (one: Rename) => one.from === from && one.to === to && !one.done
    if (areTwo(bus.home, rename)) {
      change(bus.home, (renames) => renames.filter((one) => !isIt(one)))
      continue
    }
    if (!moveBelongings(bus, rename)) continue
    change(bus.home, (renames) => renames.map((one) => (isIt(one) ? { ...one, done: true } : one)))
    record(bus, 'renamed', { from, to })
  }
}

/**
 * Whether both names are registered. Nobody joins under the names of a rename that is under way, so
 * a process that had lost the lock wrote this one down.
 */
function areTwo(home: Home, { from, to }: Rename): boolean {
  const sessions = readSessions(home)
  return findSession(sessions, from) !== undefined && findSession(sessions, to) !== undefined
}

/**
 * Changes the list of renames. Throws `LOCKED` where another process did so meanwhile: it took over
 * the lock of this one, which was stopped.
 */
function change(
  home: Pick<Home, 'names'>,
  next: (renames: readonly Rename[]) => readonly Rename[],
  stillHeld: () => void = () => {},
): void {
  const version = renamesVersion(home)
  const before = readRenames(home)
  replaceFile(home.names, `${JSON.stringify(next(before), null, 2)}\n`, () => {
    faultPoint('rename:written')
    stillHeld()
    if (renamesVersion(home) !== version) throw lostLock(home.names)
  })
}
