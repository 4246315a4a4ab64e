import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Pane } from './harness/pane.ts'
import { eventually } from './harness/poll.ts'
import { type ApiRequest, hears, newText } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MAIN = join(ROOT, 'dist', 'main.js')
const ALLOWED = { args: ['--allowedTools', 'Bash'] }
const run = promisify(execFile)

test('a Claude Code that never joined works on where sessions.json is broken', async () => {
  const world = await worldForTest({ pluginDir: ROOT, rule: doing })
  await mkdir(world.chat, { recursive: true })
  await writeFile(join(world.chat, 'sessions.json'), '{"torn')
  const pane = await world.startClaude(ALLOWED)
  await pane.submit('Do: touch made; echo it is $((40 + 2))')
  await world.api.waitFor('the end of the call', (request) => hears(request, 'it is 42'))
})

test('a conversation that is resumed is offered its name, and neither speaks nor reads as whoever has it', async () => {
  const world = await worldForTest({ pluginDir: ROOT, rule: doing })
  const chat = (...args: string[]) => run(RUNTIME, [MAIN, ...args], { env: world.env })
  const registered = async () =>
    (await readFile(join(world.chat, 'sessions.json'), 'utf8')).includes('"handy"')
  const told = async (pane: Pane, command: string, answer: RegExp) => {
    const from = world.api.requests.length
    await pane.submit(`Do: ${command}`)
    await world.api.waitFor(`${command}: ${answer}`, (one) => answer.test(newText(one)), { from })
  }
  await chat('join', 'backend', '--no-watch')
  const first = await world.startClaude(ALLOWED)
  await told(first, 'agent-chat join handy', /joined as @handy/)
  await chat('send', '@handy', 'the colour is viridian', '--as', 'backend', '--quiet')
  await first.submit('/exit')
  await eventually('the session to be unregistered', async () => !(await registered()))

  const again = await world.startClaude({ args: [...ALLOWED.args, '--continue'] })
  await again.waitFor(/this was @handy\. 1 message is unread from @backend\./)
  await told(again, 'agent-chat send @backend hello', /not inside a session/)
  await world.api.waitFor('the offer', (one) => hears(one, 'This conversation was @handy'))

  const other = await world.startClaude(ALLOWED)
  await told(other, 'agent-chat join handy', /joined as @handy/)
  await told(again, 'agent-chat inbox', /not inside a session/)
  await told(other, 'agent-chat inbox', /the colour is viridian/)
  await told(other, 'agent-chat leave', /@handy has left/)
  await told(again, 'agent-chat join handy', /joined as @handy/)
  await told(again, 'agent-chat send @backend hello', /sent \S{5} to @backend/)
})

test('a session finds this plugin’s agent-chat, whatever stands before it on PATH', async () => {
  const world = await worldForTest({ pluginDir: ROOT, rule: doing })
  const bin = join(world.dir, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'agent-chat'), '#!/bin/sh\necho v0\n', { mode: 0o755 })
  const settings = { env: { PATH: `${bin}:${world.env.PATH}` } }
  const pane = await world.startClaude({ ...ALLOWED, settings })
  await pane.submit(`Do: agent-chat; node ${MAIN} join handy --no-watch`)
  await world.api.waitFor('the join', (one) => /v0\s+joined as @handy/.test(newText(one)))
  // The hook that hears of the join runs beside the agent.
  await eventually('the hook to have told its commands', async () => {
    const from = world.api.requests.length
    await pane.submit('Do: agent-chat who; echo that is $((40 + 2))')
    const one = await world.api.waitFor('who', (next) => hears(next, 'that is 42'), { from })
    return newText(one).includes('@handy')
  })
})

/** A model that runs what it is told to in `Do: …`, and nothing else. */
function doing(request: ApiRequest) {
  const command = /Do: (.*)/.exec(newText(request))?.[1]
  return command
    ? { tool: 'Bash', input: { command, description: 'as you said' } }
    : { text: 'done' }
}
