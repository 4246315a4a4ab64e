import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { worldForTest } from './harness/test-world.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test("a session's name and the others are on Claude's screen from its start", async () => {
  const world = await worldForTest({ pluginDir: ROOT, rule: () => ({ text: 'ok' }) })
  const chat = (...args: string[]) =>
    promisify(execFile)(RUNTIME, [join(ROOT, 'dist', 'main.js'), ...args], {
      env: world.env,
    })
  for (const name of ['backend', 'frontend']) await chat('join', name, '--no-watch')
  const pane = await world.startClaude({ name: 'backend' })
  await pane.waitFor(/agent-chat: you are @backend · also here: @frontend · \/chat/)
})
