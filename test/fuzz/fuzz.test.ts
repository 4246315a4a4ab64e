import { afterAll, expect, test, vi } from 'vitest'
import { casesRun, LEAST_CASES, LONGEST_MS, SEED, summary, TIMES, tooFew } from './cases.ts'
import { commandLineProperties } from './commandLines.ts'
import { hookProperties } from './hooks.ts'
import { messageProperties } from './messages.ts'
import { nameProperties } from './names.ts'
import { readingProperties } from './reading.ts'
import { sequenceProperties } from './sequences.ts'
import { twoProcessProperties } from './two.ts'

// One file, so that all cases are counted in one place. Each run has other cases, and says how to
// run the same again:
//   FUZZ_SEED=… npx vitest run test/fuzz                    these cases
//   FUZZ_RUNS=20 npx vitest run test/fuzz -t sequence       20 times as many, of one kind
console.log(`fuzz: FUZZ_SEED=${SEED}`)
// Longer than a property is given: it says itself that it had too little time.
vi.setConfig({ testTimeout: (LONGEST_MS + 30_000) * Math.max(1, TIMES) })
afterAll(() => console.log(summary()))

messageProperties()
nameProperties()
commandLineProperties()
hookProperties()
readingProperties()
sequenceProperties()
twoProcessProperties()

test(`at least ${LEAST_CASES} cases were run, or as many for each time`, () =>
  expect(casesRun()).toBeGreaterThanOrEqual(LEAST_CASES * Math.min(1, TIMES)))

test('and enough of those that are many commands each', () => expect(tooFew()).toEqual({}))
