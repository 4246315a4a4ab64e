import { test } from 'vitest'
import { CASES } from './chatterCases.ts'
import { FAILURES } from './chatterFailures.ts'
import { teamOf } from './team.ts'

/** `npm run e2e -- worker/chatter` plays every case; `npm test` those that show the most. */
const ALL = process.env.AGENT_CHAT_E2E_RUNS !== undefined

for (const { name, plays, others, play } of [...CASES, ...FAILURES].filter(
  ({ always }) => ALL || always,
)) {
  test(name, async () => play(await teamOf(plays, others)))
}
