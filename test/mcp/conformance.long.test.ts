// child_process: this file starts the program (see vitest.config.ts).
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv } from '../../src/testing/cli.ts'
import { tempHome } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'
import { cannotRun, conform, SCENARIOS } from './conformance.mjs'

// A first run without the runner installs the suite, and Node 22 where this one is older.
const OPTIONS = { timeout: 300_000, ...leftOut(cannotRun()) }

test('the scenarios of the conformance suite that apply', OPTIONS, async () => {
  const home = tempHome('alice', 'bob')
  const env = cleanEnv({ home: home.root, env: { AGENT_CHAT_NAME: 'alice' } })
  const rows = await conform(env, dirname(home.root))
  expect(rows.map(({ what, ok, told }) => (ok ? what : `${what}: ${told}`))).toEqual(SCENARIOS)
  for (const { told } of rows) expect(told).toMatch(/Passed: ([1-9]\d*)\/\1/)
})
