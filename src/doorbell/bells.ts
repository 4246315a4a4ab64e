import { createHash } from 'node:crypto'
import type { Bus } from '../bus/bus.ts'
import { abandonedRing } from '../session/rings.ts'
import { ringText } from '../session/ringText.ts'
import { believedState } from '../session/stateFile.ts'
import { tryPidLock } from '../system/pidlock.ts'
import type { PaneLook } from './pane.ts'
import { looksQuiet } from './quiet.ts'
import { activityNow, type Doorbell, type RingResult } from './ringer.ts'
import { type TypePorts, typeRing } from './tmux.ts'

/**
 * Whoever empties the box has often sent what stood in it. What that sets off shows a moment later: a turn, by its hook; `/exit`, by a process
 * that is gone 0.15 s after Enter (Claude Code 2.1.329, on an idle machine). In milliseconds.
 */
const EMPTIED_MS = 400

/** Types the ring into the session's pane; one process at a time rings a pane. */
export function tmuxDoorbell(bus: Bus, ports: TypePorts, prompt: string | undefined): Doorbell {
  let left: string | undefined
  let draftAt = 0
  const tooSoon = (draft: boolean) => {
    if (draft) draftAt = bus.clock.now()
    return bus.clock.now() - draftAt < EMPTIED_MS ? 'the input box was emptied a moment ago' : undefined
  }
  return {
    name: 'tmux',
    ring: async (session, claim) => {
      if (session.pane === null || session.tmux_socket === null) return refusal('the session has no pane')
      const address = { socket: session.tmux_socket, pane: session.pane }
      const lock = tryPidLock(bus.home.ringLock(paneKey(address.socket, address.pane)), bus.processes)
      if (typeof lock !== 'function') return refusal(`process ${lock.pid} is ringing this pane`)
      const abandoned = abandonedRing(bus, session.name, 'tmux')
      const leftBehind = left ?? (abandoned.length === 0 ? undefined : ringText(abandoned))
      let line: string | undefined
      const text = () => {
        const ids = claim()
        line = ids.length === 0 ? undefined : ringText(ids)
        return line
      }
      const vim = believedState(bus.home, session.name, bus.processes)?.vim === true
      const screen = { ...(prompt ? { prompt } : {}), ...(vim ? { vim } : {}) }
      try {
        const forbidden = (look: PaneLook) => busyTrouble(session.name, look, bus)
        const result = await typeRing({ session, address, text, leftBehind, tooSoon, forbidden, screen }, ports)
        if (result.kind === 'rung') left = undefined
        else if (result.typed) left = line
        return result
      } finally {
        lock()
      }
    },
  }
}

/** An agent at work is not typed to. Where hooks say so for long, the screen is asked too: an interrupted turn ends without a word. */
function busyTrouble(name: string, look: PaneLook, bus: Bus): string | undefined {
  const { activity, doubtful } = activityNow(name, bus)
  if (activity === 'idle' || activity === 'unknown') return undefined
  if (doubtful && looksQuiet(look.capture)) return undefined
  return activity === 'asking' ? 'a dialog is open' : 'the agent is busy'
}

function refusal(why: string): RingResult {
  return { kind: 'wait', why, typed: false }
}

/** Prints one line a ring, for scripts and other hosts. */
export function stdoutDoorbell(print: (line: string) => void): Doorbell {
  return {
    name: 'stdout',
    ring: async (_session, claim) => {
      const ids = claim()
      if (ids.length > 0) print(ringText(ids))
      return { kind: 'rung' }
    },
  }
}

/** A pane id is per tmux server, so the lock's name stands for both. */
function paneKey(socket: string, pane: string): string {
  return createHash('sha256').update(`${socket}\n${pane}`).digest('hex').slice(0, 16)
}
