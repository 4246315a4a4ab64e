import { existsSync, rmSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { ensureHome } from '../bus/home.ts'
import { ring } from '../bus/mail/bell.ts'
import { unreadCount } from '../bus/mail/unread.ts'
import { readSessions } from '../bus/names/registry.ts'
import { CodedError } from '../errors.ts'
import { standsFor } from '../message/shortId.ts'
import { replaceFileSoon } from '../system/files.ts'
import { allHeld, type Held, release } from '../trust/sendGate/held.ts'
import { requireHuman } from './human.ts'
import type { Ports } from './ports.ts'

/**
 * What was released, how many messages the loop rule still holds, whether the doorbells are paused,
 * and whether they were until now.
 */
export type Resumed = { resumed: Held[]; held: number; paused: boolean; unpaused: boolean }

/**
 * Silences every doorbell until `unpauseDoorbells()`. Messages go on being sent and kept. Throws
 * `GATE_REFUSED`.
 */
export function pauseDoorbells(ports: Pick<Ports, 'bus' | 'env'>): void {
  requireHuman('pause', ports)
  const bus = ports.bus()
  ensureHome(bus.home)
  replaceFileSoon(bus.home.paused, `${new Date(bus.clock.now()).toISOString()}\n`)
  record(bus, 'paused', {})
}

/**
 * Lets the held messages of a chain ring, by a part of its id that only one has, as the human's
 * word. Throws `MESSAGE_UNKNOWN` where nothing is held on it, `ID_AMBIGUOUS`, and `GATE_REFUSED` in
 * a doorbell's turn.
 */
export function resumeChain(part: string, ports: Pick<Ports, 'bus' | 'env' | 'pressed'>): Resumed {
  requireHuman('release', ports)
  const bus = ports.bus()
  const resumed = onChain(allHeld(bus), part)
  return released(bus, resumed)
}

/**
 * Lets the messages that are held now ring, on all chains, once `confirm` has been told how many and
 * has not thrown. What is held or read meanwhile stays as it is. Throws `GATE_REFUSED`.
 */
export async function releaseAll(
  confirm: (count: number) => Promise<void>,
  ports: Pick<Ports, 'bus' | 'env'>,
): Promise<Resumed> {
  requireHuman('release', ports)
  const bus = ports.bus()
  const told = new Set(allHeld(bus).map(({ id }) => id))
  if (told.size > 0) await confirm(told.size)
  return released(
    bus,
    allHeld(bus).filter(({ id }) => told.has(id)),
  )
}

function released(bus: Bus, resumed: Held[]): Resumed {
  release(bus, resumed)
  const held = allHeld(bus).length
  return { resumed, held, paused: existsSync(bus.home.paused), unpaused: false }
}

/**
 * Undoes `pauseDoorbells()`, and nothing else: what the loop rule held stays held. Throws
 * `GATE_REFUSED`.
 */
export function unpauseDoorbells(ports: Pick<Ports, 'bus' | 'env'>): Resumed {
  requireHuman('unpause', ports)
  const bus = ports.bus()
  const unpaused = unpause(bus)
  return { resumed: [], held: allHeld(bus).length, paused: false, unpaused }
}

function onChain(held: Held[], part: string): Held[] {
  const chains = [
    ...new Set(
      held.map(({ chain }) => chain).filter((chain) => chain === part || standsFor(part, chain)),
    ),
  ]
  if (chains.length === 1) return held.filter(({ chain }) => chain === chains[0])
  const hint = 'list the held messages with: agent-chat gate'
  if (chains.length === 0)
    throw new CodedError('MESSAGE_UNKNOWN', `no held chain has the id ${JSON.stringify(part)}`, {
      hint,
    })
  throw new CodedError(
    'ID_AMBIGUOUS',
    `${JSON.stringify(part)} matches ${chains.length} held chains`,
    { hint },
  )
}

function unpause(bus: Bus): boolean {
  if (!existsSync(bus.home.paused)) return false
  rmSync(bus.home.paused, { force: true })
  record(bus, 'unpaused', {})
  for (const name of Object.keys(readSessions(bus.home)))
    if (unreadCount(bus.home, name) > 0) ring(bus, name)
  return true
}
