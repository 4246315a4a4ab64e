import { readFileSync } from 'node:fs'
import { findings } from '../lab.mjs'
import { works } from '../process.mjs'
import { MAKINGS } from '../states.mjs'

const SOURCE = new URL('../../src/doctor/sweep/states.ts', import.meta.url)
const PAGE = new URL('../../docs/dev/bus-format.md', import.meta.url)

/** A state of a pane cannot be told without it. */
const NEEDS_TMUX = ['pane-gone']

/** @returns {import('../lab.mjs').Case[]} */
export function doctorCases() {
  return [
    {
      name: 'doctor, in every state of docs/dev/bus-format.md',
      promise: 'each is named and mended, or said with what to do; a second doctor finds nothing',
      again: true,
      needs: () =>
        works('tmux', '-V')
          ? undefined
          : `tmux is missing, without which ${NEEDS_TMUX.join(', ')} cannot be told`,
      run: async (lab, counts) => {
        const page = readFileSync(PAGE, 'utf8')
        for (const [state, what] of statesOf()) {
          if (!page.includes(`| \`${state}\``) && !page.includes(`, \`${state}\``))
            counts.wrong.push(`docs/dev/bus-format.md does not name ${state}`)
          await mendState(state, what, lab, counts)
        }
      },
    },
  ]
}

/**
 * @param {string} state
 * @param {string} what
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 */
async function mendState(state, what, lab, counts) {
  const making = MAKINGS[state]
  if (making === undefined) throw new Error(`nothing here makes the state ${state}`)
  counts.runs += 1
  const world = lab.world()
  await world.open()
  await world.fine('before', world.send())
  await world.fine('before', world.read())
  await world.fine('before', world.send())
  await making.make(world)
  const first = await findings(world, state)
  counts.doctor += first.length
  const found = first.find(({ detail }) => what.split('@').every((part) => detail.includes(part)))
  if (found === undefined) world.wrong.push(`${state} was not found: ${JSON.stringify(first)}`)
  else if (found.status !== (making.byHand ? 'warning' : 'mended'))
    world.wrong.push(`${state} was ${found.status}: ${found.detail}`)
  else if (!found.hint?.startsWith('remedy: ')) world.wrong.push(`${state} has no remedy`)
  await making.byHand?.(world)
  for (const { detail } of await findings(world, `${state}, again`)) {
    counts.second += 1
    world.wrong.push(`${state}: the second doctor found: ${detail}`)
  }
  await world.drain(state)
  await world.goOn(state)
  await lab.finish(world, counts, state)
}

/**
 * The states and what they mean, as the source has them.
 * @returns {[state: string, what: string][]}
 */
export function statesOf() {
  const text = readFileSync(SOURCE, 'utf8')
  const entries = [...text.matchAll(/^ {2}'?([a-z-]+)'?: \{\s*what: '([^']+)'/gm)]
  return entries.map(([, state = '', what = '']) => [state, what])
}
