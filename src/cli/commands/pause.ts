import { existsSync, rmSync } from 'node:fs'
import type { Command } from 'commander'
import { ring } from '../../bus/bell.ts'
import { record } from '../../bus/history.ts'
import { ensureHome } from '../../bus/home.ts'
import { readSessions } from '../../bus/registry.ts'
import { unreadCount } from '../../bus/unread.ts'
import { CodedError } from '../../errors.ts'
import { allHeld, type Held, release } from '../../gate/held.ts'
import { replaceFileSoon } from '../../system/files.ts'
import { addCommand } from '../command.ts'
import { requireHuman } from '../human.ts'
import type { Ports } from '../ports.ts'
import { plural } from '../render/text.ts'

/** What was released, and whether the doorbells had been paused until then. */
export type Resumed = { resumed: Held[]; unpaused: boolean }

export function pauseCommand(program: Command, ports: Ports, run = runPause): void {
  addCommand(program, 'pause', 'silence every doorbell at once', 'agent-chat pause').action(
    (options: { json?: boolean }) => {
      run(ports)
      const text = 'every doorbell is silent; messages are kept. Go on with: agent-chat resume --all\n'
      ports.print(options.json ? `${JSON.stringify({ paused: true })}\n` : text)
    },
  )
}

/** Silences every doorbell of this home until `resume --all`. Messages go on being sent and kept. */
export function runPause(ports: Pick<Ports, 'bus'>): void {
  const bus = ports.bus()
  ensureHome(bus.home)
  replaceFileSoon(bus.home.paused, `${new Date(bus.clock.now()).toISOString()}\n`)
  record(bus, 'paused', {})
}

export function resumeCommand(program: Command, ports: Ports, run = runResume): void {
  addCommand(
    program,
    'resume',
    'let a held chain, or everything, ring again',
    'agent-chat resume 20261121T033912.123456Z-from-human\nagent-chat resume --all',
  )
    .argument('[chain]', 'the chain of a held message, or a part that only one has; see: agent-chat gate')
    .option('--all', 'every held message, and every doorbell that was paused')
    .action((chain: string | undefined, options: { all?: boolean; json?: boolean }) => {
      const { resumed, unpaused } = run(chain, options.all === true, ports)
      const paused = existsSync(ports.bus().home.paused)
      if (options.json) return ports.print(`${JSON.stringify({ resumed, paused, unpaused })}\n`)
      ports.print(`${plural(resumed.length, 'held message')} released${unpaused ? '; the doorbells ring again' : ''}\n`)
    })
}

/** Lets held messages ring, as the human's word. Throws `MESSAGE_UNKNOWN` where nothing is held on that chain, `GATE_REFUSED` in a doorbell's turn. */
export function runResume(part: string | undefined, all: boolean, ports: Pick<Ports, 'bus' | 'env'>): Resumed {
  if (all === (part !== undefined)) {
    throw new CodedError('USAGE', 'resume takes a chain, or --all', { hint: 'see what is held with: agent-chat gate' })
  }
  requireHuman('resume', ports)
  const bus = ports.bus()
  const held = allHeld(bus)
  const chosen = part === undefined ? held : onChain(held, part)
  release(bus, chosen)
  return { resumed: chosen, unpaused: all && unpause(ports) }
}

function onChain(held: Held[], part: string): Held[] {
  const chains = [...new Set(held.map(({ chain }) => chain).filter((chain) => chain.includes(part)))]
  if (chains.length === 1) return held.filter(({ chain }) => chain === chains[0])
  const hint = 'see what is held with: agent-chat gate'
  if (chains.length === 0)
    throw new CodedError('MESSAGE_UNKNOWN', `nothing is held on a chain ${JSON.stringify(part)}`, { hint })
  throw new CodedError('ID_AMBIGUOUS', `${JSON.stringify(part)} is part of ${chains.length} held chains`, { hint })
}

function unpause(ports: Pick<Ports, 'bus'>): boolean {
  const bus = ports.bus()
  if (!existsSync(bus.home.paused)) return false
  rmSync(bus.home.paused, { force: true })
  record(bus, 'unpaused', {})
  for (const name of Object.keys(readSessions(bus.home))) if (unreadCount(bus.home, name) > 0) ring(bus.home, name)
  return true
}
