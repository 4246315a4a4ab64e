import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { define, runIn, runTyped } from '../../worker/stage.ts'
import { realStage } from './stage.ts'

/** Of each kind so many asks. What they take is printed: on a busy machine no limit would hold. */
const ROUNDS = 3

type Kind = 'cold' | 'warm'

const SUPERVISOR_KB = 60 * 1024

test('an ask over the bus: with a client that is up, with one that is not, and the supervisor', async () => {
  const stage = await realStage()
  define(stage, 'coder', 'persistent: true')
  await runTyped(stage, ['up', 'coder'])
  const took: Record<Kind, number[]> = { cold: [], warm: [] }
  const ask = async (kind: Kind) => {
    const began = performance.now()
    const run = await runIn(stage, ['ask', '@coder', 'SAY pong', '--as', 'human'])
    took[kind].push(Math.round(performance.now() - began))
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('pong') })
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await ask('cold')
    for (let again = 0; again < ROUNDS; again += 1) await ask('warm')
    await runTyped(stage, ['restart', 'coder'])
  }
  console.log(took)
  const pid = /\d+/.exec(readFileSync(stage.home.supervisorPid, 'utf8'))?.[0]
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  console.log(/^Rss.*/m.exec(rollup)?.[0], /^Pss.*/m.exec(rollup)?.[0])
  expect(Number(/^Rss: +(\d+)/m.exec(rollup)?.[1])).toBeLessThan(SUPERVISOR_KB)
  // A client that is up is kept for the next ask.
  expect(Math.min(...took.warm)).toBeLessThan(Math.min(...took.cold))
})
