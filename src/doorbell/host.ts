import { appendFileSync } from 'node:fs'
import type { Agent } from '../agents/agent.ts'
import type { Bus } from '../bus/bus.ts'
import { ringText } from '../session/ringText.ts'
import type { Doorbell, RingResult } from './ringer.ts'
import { activityNow } from './ringer.ts'

/** Qwen Code tells of its start before it takes prompts. In milliseconds. */
const NEW_MS = 2000

/**
 * Stands where nothing can be typed, for an agent that our extension wakes: what that has not rung
 * for in time waits, with the reason.
 */
export function hostDoorbell({ title, name }: Agent): Doorbell {
  const why = `no bell: ${title} has no extension of agent-chat that answers (agent-chat setup --agent ${name})`
  return { name: 'host', ring: async () => refusal(why) }
}

/**
 * Wakes an agent by a line in the file that it reads prompts from. It takes one up when it is idle
 * and nothing is asked; a draft stays as it is.
 */
export function inputDoorbell(bus: Bus, { title }: Agent): Doorbell {
  return {
    name: 'input',
    ring: async ({ name, server }, claim) => {
      if (server === undefined)
        return refusal(`no bell: ${title} was started without a file of prompts`)
      const { activity, state } = activityNow(name, bus)
      if (activity === 'unknown')
        return refusal(`no bell: the hooks of ${title} have told nothing (agent-chat setup)`)
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
