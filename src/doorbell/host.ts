import { appendFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { noBell } from '../session/doorbellInUse.ts'
import { ringText } from '../session/ringText.ts'
import type { Doorbell, RingResult } from './ringer.ts'
import { activityNow } from './ringer.ts'

/** Qwen Code tells of its start before it takes prompts. In milliseconds. */
const NEW_MS = 2000

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
export function inputDoorbell(bus: Bus): Doorbell {
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
      if (ids.length > 0)
        appendFileSync(server, `${JSON.stringify({ type: 'submit', text: ringText(ids) })}\n`, {
          mode: 0o600,
        })
      return { kind: 'rung' }
    },
  }
}

function refusal(why: string): RingResult {
  return { kind: 'wait', why, typed: false }
}
