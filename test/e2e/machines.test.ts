import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { homeAt } from '../../src/bus/home.ts'
import { end, type Pair, startLink } from '../links/pair.ts'
import { startSshd } from '../links/sshd.ts'
import { hears, newText } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'
import type { World } from './harness/world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MANUAL = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

test('two Claude Codes in two homes: one asks over ssh, the other is woken by its own bell and answers', async () => {
  const a = await worldForTest({
    rule: (request) =>
      hears(request, 'ask frontend')
        ? bash('agent-chat ask @frontend.b "Is page 2 in?" -t 60')
        : { text: hears(request, 'page 2 is in') ? 'Frontend says: page 2 is in.' : 'Done.' },
  })
  const b = await worldForTest({
    rule: (request) => {
      const id = /── (\w{5}) ──/.exec(newText(request))?.[1]
      if (id !== undefined) return bash(`agent-chat reply ${id} "yes, page 2 is in"`)
      if (hears(request, 'New message from @backend.a. Check inbox.'))
        return bash('agent-chat inbox')
      return { text: 'Done.' }
    },
  })
  const sshd = await startSshd(join(a.home, 'sshd'), { b: { home: b.chat, peer: 'a' } })
  onTestFinished(() => sshd.stop())
  const backend = await launched(a, 'backend')
  const frontend = await launched(b, 'frontend')
  const pair: Pair = { a: homeAt(a.chat), b: homeAt(b.chat), sshd }
  const link = startLink(pair)
  onTestFinished(async () => {
    await end(link)
  })

  await backend.submit('ask frontend whether page 2 is in')
  await backend.waitFor(/Frontend says: page 2 is in\./)
  await frontend.waitFor(/Done\./)
  const { stdout } = await chat(b, 'history')
  expect(stdout).toMatch(/@backend\.a → @frontend .*question.*\n.*@frontend → @backend\.a .*reply/)
})

/** A Claude Code in a pane, under this name, ready for a prompt. */
async function launched(world: World, name: string) {
  await chat(world, name, '--detach', '--', ...MANUAL)
  const { sessions } = JSON.parse((await chat(world, 'who', '--json')).stdout)
  const pane = world.tmux.pane(sessions[0].pane)
  await pane.waitFor(/❯/)
  return pane
}

function chat(world: World, ...args: string[]) {
  const env = { ...world.env, PATH: `${dirname(world.claude)}:${world.env.PATH}` }
  return promisify(execFile)(process.execPath, [join(ROOT, 'dist/main.js'), ...args], {
    env,
    cwd: world.cwd,
  })
}

function bash(command: string) {
  return { tool: 'Bash', input: { command, description: 'agent-chat' } }
}
