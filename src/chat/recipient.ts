import { existsSync } from 'node:fs'
import type { Home } from '../bus/home.ts'
import { inboxNames } from '../bus/mail/inboxes.ts'
import { nameNow } from '../bus/names/names.ts'
import { findSession, nameMeant, readSessions, type Sessions } from '../bus/names/registry.ts'
import { CodedError } from '../errors.ts'
import { hostOf } from '../message/address.ts'
import { HUMAN, isReserved, parseAddress, parseSessionName } from '../message/name.ts'
import { nearest } from '../message/nearest.ts'
import { comesBack, isWorker } from '../session/workers.ts'
import type { Ports } from './ports.ts'

/**
 * The session that is meant by a name, which it may have had before. With `queue` it may be one
 * that is not registered, unless its name is a slip of a known one. Throws `SESSION_UNKNOWN`, as
 * `requireRecipient()`, `NAME_RESERVED`, and as `remoteRecipient()` for one on another machine.
 */
export async function recipientFor(
  name: string,
  sessions: Sessions,
  ports: Pick<Ports, 'bus' | 'notice'>,
  queue?: boolean,
): Promise<string> {
  const bus = ports.bus()
  if (hostOf(name) !== undefined) {
    const { remoteRecipient } = await import('./remote/recipient.ts')
    const to = remoteRecipient(bus, name, queue)
    return to === name ? to : recipientFor(to, sessions, ports, queue)
  }
  try {
    return localRecipient(name, sessions, ports, queue)
  } catch (error) {
    if (!existsSync(bus.home.remote)) throw error
    throw (await import('./remote/recipient.ts')).elsewhere(bus, name, error)
  }
}

function localRecipient(
  name: string,
  sessions: Sessions,
  ports: Pick<Ports, 'bus' | 'notice'>,
  queue?: boolean,
): string {
  const bus = ports.bus()
  const { home } = bus
  const meant = nameMeant(home, sessions, name)
  const here = meant === HUMAN || findSession(sessions, meant) !== undefined
  if (!here && isWorker(home, meant)) {
    if (!comesBack(bus, meant))
      ports.notice(`@${meant} does not run; its inbox keeps this: agent-chat up ${meant}`)
  } else if (queue && !here) {
    const known = [...Object.keys(sessions), ...inboxNames(home)]
    if (!known.includes(parseSessionName(meant)) && nearest(meant, known) !== undefined)
      throw unknownSession(meant, known)
    ports.notice(`@${meant} is not here; its inbox keeps this until @${meant} joins`)
  } else requireRecipient(sessions, meant, home, queue)
  if (meant !== name) ports.notice(`@${name} is @${meant} now`)
  return meant
}

/**
 * Throws `SESSION_UNKNOWN` for a session that is not registered, or no more. The human is always
 * there.
 */
export function requireRecipient(
  sessions: Sessions,
  name: string,
  home: Pick<Home, 'inbox'>,
  queue?: boolean,
): void {
  if (name === HUMAN || findSession(sessions, name)) return
  const keep = queue === false ? `; --queue keeps it until @${name} joins` : ''
  if (!existsSync(home.inbox(name))) throw unknownRecipient(name, Object.keys(sessions), keep)
  throw new CodedError(
    'SESSION_UNKNOWN',
    `@${name} has left or has not joined yet: no session of that name is registered`,
    {
      hint: `start it again with: agent-chat start ${name}; see who is there with: agent-chat who; to answer its message for when it is back: agent-chat reply <id> "…"${keep}`,
    },
  )
}

/**
 * What to say of an answer to a session that has left, or was never registered: its inbox keeps it.
 * Undefined for one that is there, or on a linked machine. Throws `SESSION_UNKNOWN` for a name that no session can have, as
 * this program itself, whose notes to the human nobody can answer.
 */
export async function absentNotice(
  name: string,
  ports: Pick<Ports, 'bus'>,
): Promise<string | undefined> {
  const { home } = ports.bus()
  if (hostOf(name) !== undefined) {
    ;(await import('./remote/recipient.ts')).requireLinked(ports.bus(), name)
    return undefined
  }
  const sessions = readSessions(home)
  if (name === HUMAN || findSession(sessions, name)) return undefined
  if (existsSync(home.inbox(name)))
    return `@${name} has left; its inbox keeps this for when it joins again`
  if (isReserved(name)) throw unknownSession(name, Object.keys(sessions))
  return `@${name} is not registered; its inbox keeps this until @${name} joins`
}

/** Tells a speaker whom no session stands for that answers wait. */
export function tellUnregistered(
  name: string,
  sessions: Sessions,
  ports: Pick<Ports, 'notice'>,
): void {
  if (name !== HUMAN && !findSession(sessions, name))
    ports.notice(`@${name} is not registered: its inbox keeps answers until @${name} joins`)
}

/** Tells of names that nobody here has or had: slips, most likely. They are checked by now. */
export function tellUnknown(
  names: (string | undefined)[],
  { bus, notice }: Pick<Ports, 'bus' | 'notice'>,
): void {
  const { home } = bus()
  const known = [...Object.keys(readSessions(home)), ...inboxNames(home)]
  for (const given of names) {
    const name = given === undefined ? HUMAN : nameNow(home, parseAddress(given))
    if (isReserved(name) || known.includes(name) || isWorker(home, name)) continue
    const near = nearest(name, known)
    notice(`there is no session @${name}${near === undefined ? '' : `: did you mean @${near}?`}`)
  }
}

/** No session of this name is registered; suggests the one that may have been meant. */
export function unknownSession(name: string, known: string[]): CodedError {
  if (name === HUMAN)
    return new CodedError('SESSION_UNKNOWN', '@human is a person, not a session', {
      hint: 'name a session; see them with: agent-chat who',
    })
  const near = nearest(name, known)
  const hint =
    near === undefined
      ? 'see who is there with: agent-chat who'
      : `did you mean @${near}? See who is there with: agent-chat who`
  return new CodedError('SESSION_UNKNOWN', `no session named @${name} is registered`, { hint })
}

/**
 * As `unknownSession`, for one that was to be written to: where it is no slip, it may only have to
 * be started.
 */
export function unknownRecipient(name: string, known: string[], keep = ''): CodedError {
  const error = unknownSession(name, known)
  if (nearest(name, known) !== undefined || isReserved(name)) return error
  return new CodedError('SESSION_UNKNOWN', error.message, {
    hint: `${error.hint}; to start it: agent-chat start ${name}${keep}`,
  })
}
