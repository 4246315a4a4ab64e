import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { hears } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MANUAL = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

test('two launched sessions: one sends, the other is rung, reads its inbox, and all of it stands on disk', async () => {
  const world = await worldForTest({
    rule: (request) => {
      if (hears(request, 'tell frontend'))
        return bash('agent-chat send @frontend "GET /tasks is ready"')
      if (hears(request, 'New message from @backend. Check inbox.')) return bash('agent-chat inbox')
      return {
        text: hears(request, 'unread message for @frontend')
          ? 'Backend says: GET /tasks is ready.'
          : 'Done.',
      }
    },
  })
  // The pane itself shows the line only where it is typed; the native doorbell tells the model
  // alone.
  const env = {
    ...world.env,
    AGENT_CHAT_DOORBELL: 'tmux',
    PATH: `${dirname(world.claude)}:${world.env.PATH}`,
  }
  const chat = (...args: string[]) =>
    promisify(execFile)(RUNTIME, [join(ROOT, 'dist/main.js'), ...args], {
      env,
      cwd: world.cwd,
    })

  for (const name of ['backend', 'frontend']) await chat(name, '--detach', '--', ...MANUAL)
  const { sessions } = JSON.parse((await chat('who', '--json')).stdout)
  const [backend, frontend] = sessions.map((session: { pane: string }) =>
    world.tmux.pane(session.pane),
  )
  await Promise.all([backend.waitFor(/❯/), frontend.waitFor(/❯/)])

  await backend.submit('tell frontend that the endpoint is ready')
  await frontend.waitFor(/New message from @backend\. Check inbox\./)
  await frontend.waitFor(/Backend says: GET \/tasks is ready\./)

  const [file = ''] = await readdir(join(world.chat, 'inbox', 'frontend', 'read'))
  expect(await readFile(join(world.chat, 'inbox', 'frontend', 'read', file), 'utf8')).toContain(
    'GET /tasks is ready',
  )
  expect(await readFile(join(world.chat, 'messages', file), 'utf8')).toMatch(
    /^from: backend\nto: frontend$/m,
  )
  expect((await chat('history')).stdout).toContain('@backend → @frontend')
})

function bash(command: string) {
  return { tool: 'Bash', input: { command, description: 'agent-chat' } }
}
