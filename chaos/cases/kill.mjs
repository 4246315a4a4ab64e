import { APART, stepsOf, WAYS } from '../steps.mjs'

/** At least so often is each step gone through: once with the doctor first, once with everyday use first. */
const LEAST = 2

/**
 * kill -9 at every step that the sources name, a row for each command.
 * @returns {import('../lab.mjs').Case[]}
 */
export function killCases() {
  return [...stepsOf()]
    .filter(([word]) => !APART.includes(word))
    .map(([word, steps]) => {
      const way = wayTo(word)
      return {
        name: `kill at each step: ${word}`,
        promise: way.promise,
        again: way.again === true,
        run: async (lab, counts) => {
          for (const step of steps)
            for (let round = 0; round < Math.max(LEAST, Math.round(lab.rounds / 15)); round += 1) {
              counts.runs += 1
              await killAt(step, round, lab, counts)
            }
        },
      }
    })
}

/**
 * @param {string} step
 * @param {number} round
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 */
async function killAt(step, round, lab, counts) {
  const world = lab.world()
  const {
    before,
    strike,
    after,
    codes = [0],
    goOn = (_, when) => world.goOn(when),
  } = wayTo(step.split(':')[0] ?? '')
  const when = `killed at ${step}`
  await world.open()
  const made = await before?.(world)
  const { signal } = await strike(world, step, round >> 1).ended
  if (signal !== 'SIGKILL') world.wrong.push(`${step} was not reached`)
  if (round % 2 === 0) await goOn(world, when)
  else {
    const found = await lab.mend(world, when)
    counts.doctor += found.doctor
    counts.second += found.second
  }
  // What was cut is done again, and works.
  const again = await strike(world, undefined, round >> 1).ended
  if (!codes.includes(again.code ?? -1))
    world.wrong.push(
      `${when}: the same again ended with ${again.code}: ${again.stderr.split('\n')[0]}`,
    )
  await after?.(world, made, when)
  await lab.finish(world, counts, when)
}

/** @param {string} word */
export function wayTo(word) {
  const way = WAYS[word]
  if (way === undefined) throw new Error(`nothing here reaches a step of ${word}`)
  return way
}
