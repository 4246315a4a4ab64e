import { randomUUID } from 'node:crypto'
import type { Bus } from '../bus/bus.ts'
import { type Me, readMe, readPeer, writeMe, writePeer } from '../bus/remote/peers.ts'
import { CodedError } from '../errors.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { visibleLine } from '../message/visible.ts'
import { FRAMES, type Frame } from './frames.ts'

export type Hello = Extract<Frame, { f: 'hello' }>

/** Clocks further apart would put each other's messages out of order for hours. */
const MAX_APART_MS = 60 * 60_000

/** This home's name among machines, made on its first link. Throws `USAGE` for another one. */
export function meOf(bus: Bus, wanted: string | undefined, suggested: string): Me {
  const me = readMe(bus.home)
  if (me === undefined) {
    const made = { host: wanted ?? suggested, id: randomUUID() }
    writeMe(bus, made)
    return made
  }
  if (wanted === undefined || wanted === me.host) return me
  throw new CodedError('USAGE', `this machine is called ${me.host} already`, {
    hint: `leave out --as: ids of messages on other machines have the name ${me.host}`,
  })
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
      `the machine calls itself ${host}, and it is ${expected} here`,
      `use one name: agent-chat link … --peer ${host}, or on that machine --as ${expected}`,
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
  if (known?.unlinked)
    throw refusal(`${host} was unlinked here`, `to link it again: agent-chat link --allow ${host}`)
  if (known?.id !== undefined && known.id !== hello.home)
    throw refusal(
      `another home is linked as ${host}`,
      `link this one under another name, or forget the old one: agent-chat unlink ${host}`,
    )
  if (known?.id === undefined)
    writePeer(bus, { created: isoTime(clock.now()), ...known, host, id: hello.home })
  return host
}

/** What the other side, or this one, says of a link that it does not take. */
export function refusal(why: string, hint: string): CodedError {
  return new CodedError('PEER_REFUSES', visibleLine(why), { hint: visibleLine(hint) })
}
