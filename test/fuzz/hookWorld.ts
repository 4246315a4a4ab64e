import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Bus } from '../../src/bus/bus.ts'
import { ensureHome, ensureInbox, homeAt } from '../../src/bus/home.ts'
import type { HookPorts } from '../../src/hooks/ports.ts'
import type { SessionState } from '../../src/session/state.ts'
import type { Turn } from '../../src/session/turn.ts'
import { namesIn, removeFile } from '../../src/system/files.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { fileText, putInInbox } from '../../src/testing/message.ts'

/** What goes wrong on our own side while a hook runs. */
export const FAULTS = [
  'nothing',
  'registry',
  'history',
  'ledger',
  'bus',
  'clock',
  'no home',
] as const
type Fault = (typeof FAULTS)[number]

/**
 * How the session stands when its hook runs. `closed`: in a turn that a doorbell began, with no
 * word of the human in it.
 */
export const TURNS = ['none', 'idle', 'human', 'closed', 'asked'] as const
export type TurnName = (typeof TURNS)[number]

/**
 * A home with @frontend, whose hooks run here, and a directory beside it that they are told of and
 * must leave alone.
 */
export type HookWorld = {
  bus: Bus
  outside: string
  /** The one file outside of the home that a hook may write: where the host asks for variables. */
  envFile: string
  ports: (fault: Fault, env?: Record<string, string>) => HookPorts
  /** Everything as at the beginning, with this turn and so many unread messages. */
  reset: (turn: TurnName, unread: number, mode: string) => void
}

/**
 * A clock that goes on by a second at every look, so that no hook waits long for what never comes.
 */
function hastyClock() {
  let now = Date.parse('2026-11-21T08:00:00.000Z')
  return {
    now: () => {
      now += 1000
      return now
    },
    micros: () => {
      now += 1
      return now * 1000
    },
  }
}

export function hookWorld(): HookWorld {
  const directory = tempDirectory()
  const outside = `${directory}/outside`
  const home = homeAt(`${directory}/home`)
  const processes = systemProcesses()
  const bus: Bus = { home, clock: hastyClock(), processes }
  const agent = processes.self()
  const envFile = `${outside}/variables`
  mkdirSync(outside)
  let spoiled = true
  const reset: HookWorld['reset'] = (turn, unread, mode) => {
    if (spoiled) {
      rmSync(home.root, { recursive: true, force: true })
      ensureHome(home)
      ensureInbox(home, 'frontend')
      spoiled = false
    }
    for (const path of [
      home.state('frontend'),
      home.rings('frontend'),
      home.gate('frontend'),
      home.history,
    ])
      removeFile(path)
    for (const file of namesIn(home.inbox('frontend')))
      if (file.endsWith('.md')) removeFile(`${home.inbox('frontend')}/${file}`)
    const session = { name: 'frontend', agent, native: true, doorbell: 'auto' }
    writeFileSync(
      home.sessions,
      JSON.stringify({ frontend: session, backend: { name: 'backend' } }),
    )
    // Put there by hand: a send waits for the disk, and hooks look at names alone.
    for (let count = 0; count < unread; count += 1)
      putInInbox(
        home,
        'frontend',
        `20261121T07000${count}.000000Z-from-backend.md`,
        fileText('backend', 'frontend', 'x'),
      )
    const state = stateIn(turn, mode, agent)
    if (state) writeFileSync(home.state('frontend'), JSON.stringify(state))
  }
  const ports: HookWorld['ports'] = (fault, env = {}) => {
    spoiled = fault !== 'nothing'
    if (fault === 'registry') writeFileSync(home.sessions, '{"frontend": 1')
    if (fault === 'history') inTheWay(home.history)
    if (fault === 'ledger') inTheWay(home.gate('frontend'))
    if (fault === 'no home') rmSync(home.root, { recursive: true, force: true })
    const broken = fault === 'clock' ? { ...bus, clock: { now: fail, micros: fail } } : bus
    return {
      env: {
        AGENT_CHAT_NAME: 'frontend',
        CLAUDE_PID: String(agent.pid),
        CLAUDE_ENV_FILE: envFile,
        ...env,
      },
      self: { node: '/bin/false', script: '' },
      bus: () => (fault === 'bus' ? fail() : broken),
    }
  }
  return { bus, outside, envFile, ports, reset }
}

/** A directory where a file should be. */
function inTheWay(path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
}

function fail(): never {
  throw new Error('a fault of our own')
}

function stateIn(
  turn: TurnName,
  gate: string,
  agent: SessionState['agent'],
): SessionState | undefined {
  if (turn === 'none') return undefined
  const at = '2026-11-21T07:59:00.000Z'
  const asked = turn === 'asked' ? [{ call: 'call-1', agent: null, at }] : []
  const began = turn === 'closed' || turn === 'asked' ? ('doorbell' as const) : ('human' as const)
  const known: Turn = { id: 'turn-1', began, at, opened: null, chain: null, work: 0, asked }
  return {
    activity: turn === 'idle' ? 'idle' : 'busy',
    since: at,
    session_id: 'one',
    agent,
    native: true,
    vim: false,
    gate,
    ...(turn === 'idle' ? {} : { turn: known }),
  }
}
