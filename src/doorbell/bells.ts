import { createHash } from 'node:crypto'
import type { Bus } from '../bus/bus.ts'
import { CodedError } from '../errors.ts'
import { tryPidLock } from '../system/pidlock.ts'
import type { Doorbell } from './ringer.ts'
import type { ScreenOptions } from './screen.ts'
import { ringText } from './text.ts'
import { type TypePorts, typeRing } from './tmux.ts'

/** What `--doorbell` and `$AGENT_CHAT_DOORBELL` take. */
export const DOORBELLS = ['auto', 'native', 'tmux', 'stdout'] as const
export type DoorbellChoice = (typeof DOORBELLS)[number]

/** The doorbell that was asked for. Throws `USAGE` for another word. */
export function parseDoorbell(input: string | undefined): DoorbellChoice {
  const choice = DOORBELLS.find((known) => known === (input ?? 'auto'))
  if (choice) return choice
  throw new CodedError('USAGE', `there is no doorbell ${JSON.stringify(input)}`, {
    hint: `choose one of: ${DOORBELLS.join(', ')}`,
  })
}

/** Types the ring into the session's pane; one process at a time rings a pane. */
export function tmuxDoorbell(bus: Bus, ports: TypePorts, screen: ScreenOptions): Doorbell {
  return {
    name: 'tmux',
    ring: async (session, batch) => {
      if (session.pane === null || session.tmux_socket === null)
        return { kind: 'wait', why: 'the session has no pane', typed: false }
      const address = { socket: session.tmux_socket, pane: session.pane }
      const lock = tryPidLock(bus.home.ringLock(paneKey(address.socket, address.pane)), bus.processes)
      if (typeof lock !== 'function')
        return { kind: 'wait', why: `process ${lock.pid} is ringing this pane`, typed: false }
      let ids: string[] = []
      const text = () => {
        ids = batch()
        return ids.length === 0 ? undefined : ringText(ids)
      }
      try {
        const result = await typeRing({ session, address, text, forbidden: () => undefined, screen }, ports)
        return result.kind === 'rung' ? { kind: 'rung', ids } : result
      } finally {
        lock()
      }
    },
  }
}

/** Prints one line a ring, for scripts and other hosts. */
export function stdoutDoorbell(print: (line: string) => void): Doorbell {
  return {
    name: 'stdout',
    ring: async (_session, batch) => {
      const ids = batch()
      if (ids.length > 0) print(ringText(ids))
      return { kind: 'rung', ids }
    },
  }
}

/** A pane id is per tmux server, so the lock's name stands for both. */
function paneKey(socket: string, pane: string): string {
  return createHash('sha256').update(`${socket}\n${pane}`).digest('hex').slice(0, 16)
}
