import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { wakeWatcher } from '../bus/mail/bell.ts'
import { changeFile } from '../system/changeFile.ts'
import { makeDirectory, namesIn } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import type { Processes } from '../system/processes.ts'
import { needsPerson, nextState, type SessionState, type StateEvent } from './state.ts'

/** The state that hooks last told, as long as the agent that told it runs; else undefined. */
export function believedState(
  home: Pick<Home, 'state'>,
  name: string,
  processes: Pick<Processes, 'isAlive'>,
): SessionState | undefined {
  const state = readState(home, name)
  return state?.agent && processes.isAlive(state.agent) ? state : undefined
}

/** The state that hooks last told of a session, believed or not. */
export function readState(home: Pick<Home, 'state'>, name: string): SessionState | undefined {
  const value = readJson(home.state(name))
  if (!isState(value)) return undefined
  const { turn } = value
  // Version 0.3 and earlier kept one call that was asked about, or null.
  return turn && !Array.isArray(turn.asked) ? { ...value, turn: { ...turn, asked: [] } } : value
}

/**
 * The first state that is asked for, and whose it is; every session that hooks ever told of is
 * looked at.
 */
export function findState(
  home: Pick<Home, 'state' | 'states'>,
  isIt: (state: SessionState, name: string) => boolean,
): { name: string; state: SessionState } | undefined {
  for (const file of namesIn(home.states)) {
    const name = /^([a-z0-9-]+)\.json$/.exec(file)?.[1]
    const state = name === undefined ? undefined : readState(home, name)
    if (name !== undefined && state && isIt(state, name)) return { name, state }
  }
  return undefined
}

/** Takes in what a hook saw. Gives the state that holds now. */
export function noteEvent(bus: Bus, name: string, event: StateEvent): SessionState | undefined {
  return changeState(bus, name, (before) => nextState(before, event))
}

/**
 * Changes a session's state, one process at a time. `change` gives undefined to leave it, and may
 * be asked again: see `changeFile()`. Gives the state that holds now.
 */
export function changeState(
  bus: Bus,
  name: string,
  change: (before: SessionState | undefined) => SessionState | undefined,
): SessionState | undefined {
  const { home, processes } = bus
  makeDirectory(home.states)
  return changeFile(
    { path: home.state(name), lock: home.stateLock(name), processes },
    (replace) => {
      const before = readState(home, name)
      const next = change(before)
      if (next) replace(`${JSON.stringify(next)}\n`)
      // The watcher keeps the line that says who needs the person, and rings again after a turn
      // that failed.
      const failsAnew = next?.failed?.at !== before?.failed?.at
      if (next && (failsAnew || needsPerson(next) !== needsPerson(before))) wakeWatcher(bus)
      return next ?? before
    },
  )
}

function isState(value: unknown): value is SessionState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'activity' in value &&
    ['idle', 'busy', 'asking', 'gone'].includes(String(value.activity)) &&
    'since' in value &&
    typeof value.since === 'string' &&
    'agent' in value &&
    typeof value.agent === 'object'
  )
}
