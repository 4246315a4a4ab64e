import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { filesIn } from '../../src/testing/home.ts'
import { eventually } from './harness/poll.ts'
import { newText } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test.each([
  ['default', []],
  ['manual', []],
  ['auto', []],
  // The user's own rules and ours are beside each other.
  ['manual', ['--allowedTools', 'Bash(npm test)']],
  ['manual', ['--allowed-tools', 'Read', 'Bash(npm test)']],
])(
  'in mode %s, with %j, a session reads and answers its mail without a dialog',
  async (mode, more) => {
    const world = await worldForTest({
      rule: (request) => {
        const heard = newText(request)
        const [, id] = /── (\w+) ──[\s\S]*Which port\?/.exec(heard) ?? []
        if (id !== undefined) return bash(`agent-chat reply ${id} 8080`)
        if (heard.includes('Check inbox')) return bash('agent-chat inbox')
        return { text: 'Done.' }
      },
    })
    const env = {
      ...world.env,
      PATH: `${join(ROOT, 'bin')}:${dirname(world.claude)}:${world.env.PATH}`,
    }
    const chat = async (...args: string[]) =>
      (
        await promisify(execFile)(RUNTIME, [join(ROOT, 'dist/main.js'), ...args], {
          env,
          cwd: world.cwd,
        })
      ).stdout
    await chat('start', 'frontend', '--detach', '--', '--permission-mode', mode, ...more)
    await chat('send', '@frontend', '--question', 'Which port?', '--as', 'human')
    const inbox = join(world.chat, 'inbox', 'human')
    await eventually('the answer', () => filesIn(inbox).some((file) => /-from-frontend/.test(file)))
    const [session] = JSON.parse(await chat('who', '--json')).sessions
    expect(await world.tmux.pane(session.pane).screen()).not.toContain('Do you want to proceed')
  },
)

function bash(command: string) {
  return { tool: 'Bash', input: { command, description: 'agent-chat' } }
}
