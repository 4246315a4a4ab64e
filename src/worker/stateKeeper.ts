import type { Bus } from '../bus/bus.ts'
import { inHome } from '../bus/homeError.ts'
import { isCoded } from '../errors.ts'
import { isoTime } from '../message/time.ts'
import { BEAT_MS, type WorkerActivity, type WorkerState } from '../session/workerState.ts'
import { makeDirectory, replaceFileSoon } from '../system/files.ts'

/** Keeps `workers/<name>.json` true while the worker runs. */
export type StateKeeper = {
  now: () => WorkerState
  /** Takes in a change; `undefined` takes a field away. */
  set: (change: StateChange) => void
  /** Gives no sign of life any more. */
  end: () => void
}

export type StateChange = {
  activity?: WorkerActivity
  reason?: string | undefined
  quiet?: string | undefined
  client?: WorkerState['client'] | undefined
  message?: string | undefined
  attempt?: number | undefined
  model?: string | undefined
  conversation?: string | undefined
  requests?: number
  definition?: WorkerState['definition']
}

/** Begins with the state of the process before, as far as that still counts. */
export function keepState(
  bus: Bus,
  name: string,
  definition: WorkerState['definition'],
  before: WorkerState | undefined,
): StateKeeper {
  const { home, clock, processes } = bus
  const started = isoTime(clock.now())
  let state: WorkerState = {
    ...{ name, activity: 'starting', since: started, process: processes.self(), started },
    ...{ beat: started, requests: 0, definition, restarts: before?.restarts ?? [] },
    ...(before?.message === undefined ? {} : { message: before.message }),
    ...(before?.attempt === undefined ? {} : { attempt: before.attempt }),
  }
  const write = () => {
    state = { ...state, beat: isoTime(clock.now()) }
    inHome(home, () => {
      makeDirectory(home.workers)
      replaceFileSoon(home.worker(name), `${JSON.stringify(state)}\n`)
    })
  }
  write()
  // On a full disk it works on, and is taken for hung.
  const timer = setInterval(() => unlessUnusable(write), BEAT_MS)
  return {
    now: () => state,
    set: (change) => {
      const since =
        change.activity && change.activity !== state.activity ? isoTime(clock.now()) : state.since
      const fields = { ...state, ...change, since }
      state = Object.fromEntries(
        Object.entries(fields).filter(([, value]) => value !== undefined),
      ) as WorkerState
      write()
    },
    end: () => clearInterval(timer),
  }
}

/** Does what a home that cannot be written may keep from being done. */
export function unlessUnusable(step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!isCoded(error, 'HOME_UNUSABLE')) throw error
  }
}
