import type { Bus } from '../../bus/bus.ts'
import { peers, readMe, readPeer, readSeen } from '../../bus/remote/peers.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { hostOf, nameOf } from '../../message/address.ts'
import { HUMAN } from '../../message/name.ts'
import { nearest } from '../../message/nearest.ts'

/**
 * The address of a session on another machine, or the bare name where the machine is this one.
 * Throws `HOST_UNKNOWN` for a machine that is not linked, and `SESSION_UNKNOWN` for a name that was
 * not there when the machine was last seen, unless it may be `queue`d.
 */
export function remoteRecipient(bus: Bus, address: string, queue = false): string {
  const { home } = bus
  const host = hostOf(address) ?? ''
  const name = nameOf(address)
  if (readMe(home)?.host === host) return name
  requireLinked(bus, address)
  const sessions = readSeen(home, host)?.sessions.map((session) => session.name)
  if (queue || name === HUMAN || sessions === undefined || sessions.includes(name)) return address
  const near = nearest(name, sessions)
  throw new CodedError('SESSION_UNKNOWN', `${host} has told of no session named @${name}`, {
    hint:
      near === undefined
        ? `see who is there with: agent-chat who --all; to queue it all the same: agent-chat send @${address} --queue "…"`
        : `did you mean @${near}.${host}? See who is there with: agent-chat who --all`,
  })
}

/** Throws `HOST_UNKNOWN` for an address on a machine that this home is not linked with. */
export function requireLinked({ home }: Pick<Bus, 'home'>, address: string): void {
  const host = hostOf(address) ?? ''
  const peer = readPeer(home, host)
  if (peer && !peer.unlinked) return
  const known = peers(home).map((one) => one.host)
  const near = nearest(host, known)
  throw new CodedError('HOST_UNKNOWN', `no machine named ${host} is linked`, {
    hint:
      near === undefined
        ? `link it with: agent-chat link user@${host} --peer ${host}; see the links with: agent-chat links`
        : `did you mean @${nameOf(address)}.${near}?`,
  })
}

/** The same error, and where else a session of that name is. A bare name is never guessed. */
export function elsewhere(bus: Bus, name: string, error: unknown): unknown {
  if (!isCoded(error, 'SESSION_UNKNOWN')) return error
  const others = remoteNames(bus).filter((address) => nameOf(address) === name)
  if (others.length === 0) return error
  return new CodedError('SESSION_UNKNOWN', error.message, {
    hint: `on another machine there is: ${others.map((one) => `@${one}`).join(', ')}`,
  })
}

/** The address of every session that other machines have told of. */
export function remoteNames({ home }: Pick<Bus, 'home'>): string[] {
  return peers(home).flatMap(
    ({ host }) => readSeen(home, host)?.sessions.map(({ name }) => `${name}.${host}`) ?? [],
  )
}

/** The name of every linked machine. */
export function machineNames({ home }: Pick<Bus, 'home'>): string[] {
  return peers(home).map(({ host }) => host)
}
