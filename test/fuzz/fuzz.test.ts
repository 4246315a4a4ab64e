import { afterAll, expect, test } from 'vitest'
import { casesRun, LEAST_CASES, SEED, summary } from './cases.ts'
import { messageProperties } from './messages.ts'
import { nameProperties } from './names.ts'

// One file, so that all cases are counted in one place. Each run has other cases.
console.log(`fuzz: FUZZ_SEED=${SEED}`)
afterAll(() => console.log(summary()))

messageProperties()
nameProperties()

test(`at least ${LEAST_CASES} cases were run`, () => expect(casesRun()).toBeGreaterThanOrEqual(LEAST_CASES))
