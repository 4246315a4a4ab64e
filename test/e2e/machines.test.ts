import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { homeAt } from '../../src/bus/home.ts'
import { joinTeam } from '../links/nats.ts'
import { end, linked, type Pair, startLink } from '../links/pair.ts'
import { startSshd } from '../links/sshd.ts'
import { hears, newText } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'
import type { World } from './harness/world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MANUAL = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

test('two Claude Codes in two homes: one asks, the other is woken by its own bell and answers; over ssh, then over NATS', async () => {
  const a = await worldForTest({
    rule: (request) =>
      hears(request, 'ask frontend')
        ? bash('agent-chat ask @frontend.b "Is the page in?" -t 60')
        : { text: /page \d is in/.exec(newText(request))?.[0] ?? 'Done.' },
  })
  let answers = 1
  const b = await worldForTest({
    rule: (request) => {
      const id = /── (\w{5}) ──/.exec(newText(request))?.[1]
      if (id !== undefined) {
        answers += 1
        return bash(`agent-chat reply ${id} "yes, page ${answers} is in"`)
      }
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
  onTestFinished(() => void link.kill('SIGKILL'))
  await linked(pair)

  await backend.submit('ask frontend whether the page is in')
  await backend.waitFor(/● page 2 is in/)
  await frontend.waitFor(/Done\./)
  await end(link)
  const team = await joinTeam({ a: pair.a, b: pair.b })
  onTestFinished(() => team.stop())
  for (const host of ['a', 'b']) team.bridge(host)
  await backend.submit('ask frontend whether the page is in')
  await backend.waitFor(/● page 3 is in/)

  const { stdout } = await chat(b, 'history')
  const once = /@backend\.a → @frontend .*question.*\n.*@frontend → @backend\.a .*reply/g
  expect(stdout.match(once)).toHaveLength(2)
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
