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

const ROOT = join(import.meta.dirname, '..', '..')
const MAIN = join(ROOT, 'dist', 'main.js')
const ARGS = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

// What a power cut leaves: nothing runs any more, and nobody was told.
test('three sessions, one of which joined by itself, come back after everything was killed: own conversation, one process, mail read once', async () => {
  const world = await worldForTest({
    rule: (request) => {
      if (hears(request, 'take your time')) return { blocks: [{ text: 'done' }], delayMs: 600_000 }
      const command = hears(request, 'and join')
        ? 'agent-chat join handy'
        : hears(request, 'Check inbox') && 'agent-chat inbox'
      return command
        ? { tool: 'Bash', input: { command, description: 'agent-chat' } }
        : { text: 'noted' }
    },
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
  const start = async (name: string, prompt: string) => {
    const { pane } = JSON.parse(await chat('start', name, '--detach', '--json', '--', ...ARGS))
    await world.tmux.pane(pane).waitFor(/❯/)
    await world.tmux.pane(pane).submit(prompt)
  }
  for (const name of names) {
    await start(name, `the word of ${name} is w-${name}`)
    await world.api.waitFor('its turn', (request) => hears(request, `w-${name}`))
    await eventually('its end', async () => (await stateOf(name)).activity === 'idle')
    ids[name] = await idOf(name)
  }
  const handy = await world.startClaude({ args: ['--plugin-dir', ROOT, ...ARGS.slice(2)] })
  await handy.submit('the word of handy is w-handy, and join')
  await world.api.waitFor('it to join', (request) => hears(request, 'joined as @handy'))
  await eventually('its end', async () => {
    const state = await stateOf('handy').catch(() => undefined)
    return state?.activity === 'idle'
  })
  ids.handy = await idOf('handy')
  names.push('handy')
  // Claude Code goes on with no conversation that has no answer yet.
  await start('unanswered', 'take your time')
  await world.api.waitFor('its turn', (request) => hears(request, 'take your time'))
  await killAtOnce(await treeOf(await serverOf(world)))
  await chat('send', '@backend', 'are you back?', '--as', 'human', '--queue')

  const from = world.api.requests.length
  const resumed = await typed('resume', '--yes')
  expect(resumed, resumed.stdout).toMatchObject({ code: 0, stderr: '' })
  for (const name of names)
    expect(resumed.stdout).toContain(`✓ @${name} is back with its conversation ${ids[name]}`)
  expect(resumed.stdout).toContain(
    '✓ @unanswered is back with a new conversation: its conversation has no answer yet\n',
  )
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
