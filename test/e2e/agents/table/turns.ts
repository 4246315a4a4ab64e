import { expect } from 'vitest'
import type { Answer, Asked } from '../responses.ts'
import { type Case, delivered, isRing, isWhole, model, over, rung, say, tell } from './stage.ts'

const STEPS = 6

/** `LONG n` is a turn of six commands that take a second each. */
function inSteps(asked: Asked): Answer {
  const { prompt, results } = asked
  const [, n] = isRing(prompt) ? [] : (/LONG (\d+)/.exec(prompt) ?? [])
  if (n === undefined || results.length === STEPS) return model(asked)
  return { run: `sleep 1; echo step-${n}-${results.length + 1}` }
}

/** `TASK n` starts a subagent, whose answer takes 3 s. */
function withSubagent(asked: Asked): Answer {
  const [, n] = /^TASK (\d+)/.exec(asked.prompt) ?? []
  if (n === undefined || asked.results.length > 0) return model(asked)
  const input = { description: 'a part', prompt: `SLOW ${n}`, subagent_type: 'general' }
  return { tool: 'task', input }
}

/** What only those have that are woken by our extension in them. */
export const TURNS: Case[] = [
  {
    name: 'an urgent message comes in a turn that goes on',
    only: ['opencode', 'kilo'],
    rule: inSteps,
    play: async (stage, tally) => {
      const { world, n } = stage
      const from = world.model.asked.length
      await say(stage, `LONG ${n}`)
      const text = `message ${n}.`
      await world.model.waitFor('the turn', ({ prompt }) => prompt.includes(`LONG ${n}`), from)
      const since = await tell(stage, text, '--urgent')
      await delivered(stage, { text, since, from }, tally)
      const ring = world.model.asked.slice(from).find(rung)
      expect(ring?.text).not.toContain(`step-${n}-${STEPS}`)
      await over(stage)
    },
  },
  {
    name: 'a subagent is at work',
    only: ['opencode', 'kilo'],
    rule: withSubagent,
    play: async (stage, tally) => {
      const { world, n } = stage
      const from = world.model.asked.length
      await say(stage, `TASK ${n}`)
      // Kilo Code adds lines of its own.
      const isPart = new RegExp(`^SLOW ${n}\\s`)
      await world.model.waitFor('the subagent', ({ prompt }) => isPart.test(`${prompt}\n`), from)
      const text = `message ${n}.`
      const since = await tell(stage, text)
      const read = await delivered(stage, { text, since, from }, tally)
      // In the conversation of the session, behind what the subagent has said.
      expect(read?.text).toContain(`TASK ${n}`)
      if (read && !isWhole(read, n)) tally.harmed += 1
      await over(stage)
    },
  },
]
