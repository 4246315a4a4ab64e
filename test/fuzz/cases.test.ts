import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesRun, forAll, LEAST_OF, SEED, TIMES, tooFew } from './cases.ts'

test('a property that runs out of time fails, with its seed, though no case was wrong', async () => {
  for (const quick of [0, 2]) {
    let calls = 0
    const property = fc.asyncProperty(fc.nat(), async () => {
      calls += 1
      if (calls > quick) await pause(60_000, undefined, { ref: false })
    })
    await expect(forAll('slow', 5 / TIMES, property, 200)).rejects.toThrow(
      `slow: only ${quick} of 5 cases were run in ${0.2 * Math.max(1, TIMES)} s (FUZZ_SEED=${SEED})`,
    )
  }
})

test('a case that fails is told, made small; one that does not fail again, as it was', async () => {
  const long = fc.property(fc.array(fc.nat()), (list) => list.length < 3)
  await expect(forAll('long', 200 / TIMES, long)).rejects.toThrow(
    /long: .*FUZZ_SEED=[\s\S]*Counterexample: \[\[0,0,0\]\]/,
  )
  let calls = 0
  const once = fc.property(fc.nat(), () => {
    calls += 1
    expect(calls).not.toBe(4)
  })
  await expect(forAll('once', 200 / TIMES, once)).rejects.toThrow(
    /once: .*FUZZ_SEED=[\s\S]*failed after 4 tests/,
  )
})

test('what was run too seldom is told, by its kind', async () => {
  expect(tooFew()).toEqual(Object.fromEntries(Object.keys(LEAST_OF).map((what) => [what, 0])))
  const before = casesRun()
  const LEAST = LEAST_OF.sequences ?? 0
  await forAll(
    'sequences',
    LEAST / TIMES,
    fc.property(fc.nat(), () => {}),
  )
  expect(casesRun() - before).toBe(LEAST)
  expect(Object.keys(tooFew())).toEqual(
    Object.keys(LEAST_OF).filter((what) => what !== 'sequences'),
  )
})
