// child_process: this file starts the program (see vitest.config.ts).
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv } from '../../src/testing/cli.ts'
import { tempHome } from '../../src/testing/home.ts'
import { cannotRun, conform, SCENARIOS } from './conformance.mjs'

const why = cannotRun()

test.skipIf(why)(
  `the scenarios of the conformance suite that apply${why ? `: ${why}` : ''}`,
  {
    // A first run installs the suite, and Node 22 where this one is older.
    timeout: 300_000,
  },
  async () => {
    const home = tempHome('alice', 'bob')
    const env = cleanEnv({ home: home.root, env: { AGENT_CHAT_NAME: 'alice' } })
    const rows = await conform(env, dirname(home.root))
    expect(rows.map(({ what, ok, told }) => (ok ? what : `${what}: ${told}`))).toEqual(SCENARIOS)
    for (const { told } of rows) expect(told).toMatch(/Passed: ([1-9]\d*)\/\1/)
  },
)
