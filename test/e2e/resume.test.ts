import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { asHuman } from '../../scripts/asHuman.mjs'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { eventually } from './harness/poll.ts'
import { killAtOnce, treeOf } from './harness/processes.ts'
import { hears } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'
import type { World } from './harness/world.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
const ARGS = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

// What a power cut leaves: nothing runs any more, and nobody was told.
test('two sessions come back after everything was killed: own conversation, one process, mail read once', async () => {
  const world = await worldForTest({
    rule: (request) =>
      hears(request, 'Check inbox')
        ? { tool: 'Bash', input: { command: 'agent-chat inbox', description: 'agent-chat' } }
        : { text: 'noted' },
  })
  const env = { ...world.env, PATH: `${dirname(world.claude)}:${world.env.PATH}` }
  const chat = async (...args: string[]) =>
    (await promisify(execFile)(RUNTIME, [MAIN, ...args], { env, cwd: world.cwd })).stdout
  const typed = (...args: string[]) =>
    asHuman([RUNTIME, MAIN, ...args], { env, cwd: world.cwd, limitMs: 120_000 })
  const names = ['backend', 'frontend']
  const stateOf = async (name: string) =>
    JSON.parse(await readFile(join(world.chat, 'state', `${name}.json`), 'utf8'))
  const idOf = async (name: string) => (await stateOf(name)).session_id
  const ids: Record<string, string> = {}
  for (const name of names) {
    const { pane } = JSON.parse(await chat('start', name, '--detach', '--json', '--', ...ARGS))
    await world.tmux.pane(pane).waitFor(/❯/)
    await world.tmux.pane(pane).submit(`the word of ${name} is w-${name}`)
    await world.api.waitFor('its turn', (request) => hears(request, `w-${name}`))
    // Claude Code goes on with no conversation that has no answer yet.
    await eventually('its end', async () => (await stateOf(name)).activity === 'idle')
    ids[name] = await idOf(name)
  }
  await killAtOnce(await treeOf(await serverOf(world)))
  await chat('send', '@backend', 'are you back?', '--as', 'human', '--queue')

  const from = world.api.requests.length
  const resumed = await typed('resume', '--yes')
  expect(resumed, resumed.stdout).toMatchObject({ code: 0, stderr: '' })
  for (const name of names)
    expect(resumed.stdout).toContain(`✓ @${name} is back with its conversation ${ids[name]}`)
  // Its inbox wakes it, in its own conversation and in no other's.
  const woken = await world.api.waitFor(
    'the message to be read',
    (request) => hears(request, 'are you back?'),
    { from },
  )
  expect(JSON.stringify(woken.body)).toContain('w-backend')
  expect(JSON.stringify(woken.body)).not.toContain('w-frontend')
  for (const name of names) expect(await idOf(name)).toBe(ids[name])
  await eventually('the message to be read', async () =>
    (await chat('inbox', 'backend', '--count')).startsWith('0'),
  )
  expect((await chat('history')).match(/are you back\?/g)).toHaveLength(1)
  expect(await typed('resume', '--all', '--dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no session ended'),
  })
  const running = await promisify(execFile)('ps', ['-eo', 'args'])
  for (const name of names)
    expect(
      running.stdout.split('\n').filter((line) => line.includes(`--resume ${ids[name]}`)),
    ).toHaveLength(1)
  // A conversation that somebody has gone on with by hand is left alone.
  await killAtOnce(await treeOf(await serverOf(world)))
  const byHand = await world.startClaude({ args: ['--resume', String(ids.backend)] })
  await byHand.waitFor(/❯/)
  const again = await typed('resume', '--yes')
  expect(again.stdout).toMatch(/^- @backend was not started: process \d+ has it open$/m)
  expect(again.stdout).toContain('✓ @frontend is back with its conversation')
})

async function serverOf({ tmux }: World): Promise<number> {
  return Number((await tmux.tmux('display-message', '-p', '#{pid}')).trim())
}
