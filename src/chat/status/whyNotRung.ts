import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import type { Fate } from '../../bus/mail/fate.ts'
import { isSilent, type Mark } from '../../bus/mail/marks.ts'
import { HUMAN } from '../../message/name.ts'
import { whyNotWoken } from '../../session/hooksOff.ts'
import type { Activity } from '../../session/state.ts'
import { believedState } from '../../session/stateFile.ts'
import { readWaiting } from '../../session/waiting.ts'

/** What the native doorbell waits for. Nothing, for urgent messages. */
const NATIVE: Partial<Record<Activity, string>> = {
  busy: 'it is delivered when the turn is over',
  asking: 'it is delivered when the dialog is answered and the turn is over',
}

/**
 * Why an unread message has not rung yet, as far as the home tells at once. Undefined for one that
 * has rung, or that is not to ring, and where nothing is known: a ring takes a moment.
 */
export function whyNotRung(
  bus: Bus,
  to: string,
  fate: Fate,
  mark: Mark | null,
): string | undefined {
  const { home, processes } = bus
  const heard = fate.stages.some(({ stage }) => stage === 'rung' || stage === 'presented')
  if (to === HUMAN || fate.place !== 'unread' || heard || isSilent(mark ?? undefined, processes))
    return undefined
  if (existsSync(home.paused)) return 'all doorbells are paused: agent-chat unpause'
  const off = whyNotWoken(to, bus)
  // Its doorbell has looked at the screen.
  if (off !== undefined) return readWaiting(home, to)?.why ?? off
  const state = believedState(home, to, processes)
  const native = state?.native && mark?.ring !== 'urgent' ? NATIVE[state.activity] : undefined
  return native ?? readWaiting(home, to)?.why
}
