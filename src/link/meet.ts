import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { type Me, readMe, readPeer, writeMe, writePeer } from '../bus/remote/peers.ts'
import { CodedError } from '../errors.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { visibleLine } from '../message/visible.ts'
import { entriesIn } from '../system/files.ts'
import { FRAMES, type Frame } from './frames.ts'

export type Hello = Extract<Frame, { f: 'hello' }>

/** Clocks further apart would put each other's messages out of order for hours. */
const MAX_APART_MS = 60 * 60_000

/**
 * This home's name among machines, made on its first link. Throws `USAGE` for another one, once any
 * machine or team knows it.
 */
export function meOf(bus: Bus, wanted: string | undefined, suggested: string): Me {
  const me = readMe(bus.home)
  if (me && (wanted === undefined || wanted === me.host)) return me
  if (me === undefined || !isKnown(bus.home)) {
    const made = { host: wanted ?? suggested, id: me?.id ?? randomUUID() }
    writeMe(bus, made)
    return made
  }
  throw new CodedError('USAGE', `this machine is called ${me.host} already`, {
    hint: `leave out --as: ids of messages on other machines have the name ${me.host}`,
  })
}

/** Until then, a first link that failed has given a name that nobody has heard. */
function isKnown(home: Home): boolean {
  return existsSync(home.bridgeTicket) || entriesIn(home.remote).some((one) => one.isDirectory())
}

/**
 * Makes the other machine known, or says why it cannot be. `expected`: who it has to be, as the
 * transport or its user says. Throws `PEER_REFUSES` with what its user can do.
 */
export function meet(bus: Bus, hello: Hello, me: Me, expected: string | undefined): string {
  const { home, clock } = bus
  const { host } = hello
  const apart = Math.round(Math.abs(hello.at - clock.now()) / 60_000)
  if (hello.v !== FRAMES)
    throw refusal(
      `the other machine speaks version ${hello.v} of the link, and this one ${FRAMES}`,
      'install the same agent-chat on both machines',
    )
  if (!NAME_PATTERN.test(host))
    throw refusal('the other machine has no name', 'give it one with --as')
  if (expected !== undefined && host !== expected)
    throw refusal(
      `the machine calls itself ${host}, and ${me.host} knows it as ${expected}`,
      `use one name for it: --peer ${host} on ${me.host}, or --as ${expected} on its first link`,
    )
  if (hello.home === me.id)
    throw refusal('the other side is this very home', 'link another machine, or another home')
  if (host === me.host)
    throw refusal(
      `both machines are called ${host}`,
      'give one of them another name on its first link: agent-chat link … --as <name>',
    )
  if (apart * 60_000 > MAX_APART_MS)
    throw refusal(
      `the two clocks are ${apart} min apart`,
      'set the clocks: timedatectl set-ntp true',
    )
  const known = readPeer(home, host)
  if (known?.unlinked) throw unlinkedHere(host, me)
  if (known?.id !== undefined && known.id !== hello.home)
    throw refusal(
      `another home is linked with ${me.host} as ${host}`,
      `if it was made again, on ${me.host}: agent-chat unlink ${host} && agent-chat link --allow ${host}; else link it with --as and another name`,
    )
  if (known?.id === undefined)
    writePeer(bus, { created: isoTime(clock.now()), ...known, host, id: hello.home })
  return host
}

/**
 * Whether the machine that is connected is still linked: this home may have unlinked it since, or
 * linked another home under its name. Throws `PEER_REFUSES`. A home that was removed or made again
 * knows nobody: that ends no link.
 */
export function requireLinked({ home }: Pick<Bus, 'home'>, me: Me, host: string, id: string): void {
  if (readMe(home)?.id !== me.id) return
  const known = readPeer(home, host)
  if (known?.id === id && !known.unlinked) return
  throw unlinkedHere(host, me)
}

function unlinkedHere(host: string, me: Me): CodedError {
  return refusal(
    `${host} was unlinked on ${me.host}`,
    `to link it again, on ${me.host}: agent-chat link --allow ${host}`,
  )
}

/** What the other side, or this one, says of a link that it does not take. */
export function refusal(why: string, hint: string): CodedError {
  return new CodedError('PEER_REFUSES', visibleLine(why), { hint: visibleLine(hint) })
}
