import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { tmuxWorld } from './world.ts'

test('start waits at most 15 s for an agent that shows nothing, and says so', async () => {
  const world = await tmuxWorld()
  await world.server.newSession({ name: 'other' })
  const bin = tempDirectory()
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\nexec cat\n', { mode: 0o755 })
  const env = { ...world.server.env, PATH: `${bin}:${process.env.PATH}` }
  const begun = performance.now()
  const { code, stdout, stderr } = await runCli(['start', 'docs', '--detach'], {
    ...{ home: world.bus.home.root, env, cwd: world.directory },
  })
  expect(performance.now() - begun).toBeGreaterThan(15_000)
  expect([code, stdout]).toEqual([0, expect.stringContaining('started @docs')])
  expect(stderr).toBe(
    'agent-chat: @docs shows neither its input box nor a dialog that agent-chat knows after 15 s: agent-chat attach docs\n',
  )
}, 60_000)
