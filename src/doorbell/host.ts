import { appendFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { noBell } from '../session/noBell.ts'
import { ringMark } from '../session/rings.ts'
import { ringText } from '../session/ringText.ts'
import { timeLeft } from '../system/timeLeft.ts'
import type { Doorbell, RingResult } from './ringer.ts'
import { activityNow } from './ringer.ts'

/** Qwen Code tells of its start before it takes prompts. In milliseconds. */
const NEW_MS = 2000

/**
 * It looks at its file every 0.5 s, and drops a line that it finds in a turn: one that a person has
 * begun meanwhile. One that it takes is told of by a hook. In milliseconds.
 */
const TAKEN_MS = 5000
const LOOK_MS = 50

/**
 * Stands where nothing can be typed, for an agent that our extension wakes: what that has not rung
 * for in time waits, with the reason.
 */
export function hostDoorbell(): Doorbell {
  return {
    name: 'host',
    ring: async (session) => refusal(`no bell: ${noBell(session, undefined).no_bell}`),
  }
}

/**
 * Wakes an agent by a line in the file that it reads prompts from. It takes one up when it is idle
 * and nothing is asked; a draft stays as it is.
 */
export function inputDoorbell(bus: Bus, pause: (ms: number) => Promise<void>): Doorbell {
  return {
    name: 'input',
    ring: async (session, claim) => {
      const { name, server } = session
      const { activity, state } = activityNow(name, bus)
      const { no_bell: none } = noBell(session, state)
      if (server === undefined || none !== undefined) return refusal(`no bell: ${none}`)
      // A prompt that comes before its conversation is there ends with an error.
      const isNew =
        state?.turn === undefined && bus.clock.now() - Date.parse(state?.since ?? '') < NEW_MS
      if (isNew) return refusal('the agent is starting')
      if (activity === 'asking') return refusal('a dialog is open')
      // A line that comes in a turn may never be taken.
      if (activity === 'busy') return refusal('the agent is busy')
      const ids = claim()
      if (ids.length === 0) return { kind: 'rung' }
      appendFileSync(server, `${JSON.stringify({ type: 'submit', text: ringText(ids) })}\n`, {
        mode: 0o600,
      })
      for (const left = timeLeft(TAKEN_MS); left() > 0; await pause(LOOK_MS))
        if (ids.every((id) => isTaken(bus, name, id))) return { kind: 'rung' }
      return refusal('the ring was not taken')
    },
  }
}

/** Whether a hook has told of the ring, or the message was read. */
function isTaken({ home }: Bus, name: string, id: string): boolean {
  const mark = ringMark(home, name, id)
  return mark === undefined || mark.presented !== undefined
}

function refusal(why: string): RingResult {
  return { kind: 'wait', why, typed: false }
}
