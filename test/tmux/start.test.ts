import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lineNow } from '../../src/session/needsLine.ts'
import { ROOT, type Run, runCli } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { tmuxWorld } from './world.ts'

const SCREENS = join(ROOT, 'src/doorbell/screens')
const WAITS = '@docs waits for you to trust this folder: agent-chat attach docs'
const BOX = '\\033[2J\\033[H────────────────\\n❯ \\n────────────────\\n'

/** A machine whose `claude` shows this first, and an input box after Enter. */
async function machine(first: string) {
  const world = await tmuxWorld()
  await world.server.newSession({ name: 'other' })
  const bin = tempDirectory()
  const script = `#!/bin/sh\n${first}\nread -r _\nprintf '${BOX}\\033[2;3H'\nexec cat\n`
  writeFileSync(join(bin, 'claude'), script, { mode: 0o755 })
  const env = { ...world.server.env, PATH: `${bin}:${process.env.PATH}` }
  const run = (...args: string[]): Promise<Run> =>
    runCli(args, { home: world.bus.home.root, env, cwd: world.directory })
  const pane = async () =>
    world.server.pane(
      (await world.server.tmux('list-panes', '-t', 'ac-docs', '-F', '#{pane_id}')).trim(),
    )
  return { world, run, pane }
}

const TRUST = `tail -n +2 '${SCREENS}/trust.txt'`

test('start says that the agent waits for you to trust its folder, and so does every surface', async () => {
  const { world, run, pane } = await machine(TRUST)
  expect(await run('start', 'docs', '--detach')).toEqual({
    code: 0,
    signal: null,
    stdout: 'started @docs in tmux session ac-docs; attach with: agent-chat attach docs\n',
    stderr: `agent-chat: ${WAITS}\n`,
  })
  const needs = [
    {
      session: 'docs',
      reason: 'trust',
      since: expect.stringMatching(/^20/),
      what: `it waits for you to trust this folder, ${world.directory}`,
      answer: 'agent-chat attach docs',
    },
  ]
  expect(JSON.parse((await run('--json')).stdout)).toMatchObject({ needs_you: needs })
  expect((await run()).stdout).toMatch(
    /^Needs you \(1\):\n {2}@docs asks at its start \(.+\): it waits .+\n {4}agent-chat attach docs\n/,
  )
  expect((await run('who')).stdout).toMatch(/@docs .*asking.* waits for you to trust this folder: /)
  expect((await run('status', 'docs')).stdout).toMatch(/state +waits for you to trust this folder/)
  expect(JSON.parse((await run('who', '--json')).stdout).sessions).toMatchObject([
    { name: 'docs', state: 'asking', dialog: 'trust' },
  ])
  await until('the line', () => lineNow(world.bus) === '1 needs you · @docs asks at its start')
  const doctor = await run('doctor', '--json')
  expect(doctor.stdout).toContain('@docs waits for you to trust this folder')
  expect(doctor.stdout).not.toContain('agent-chat-room in')

  await (await pane()).key('Enter')
  await until('no row', async () => !(await run()).stdout.includes('Needs you'))
})

test('a message to such a session waits, and says what for', async () => {
  const { run } = await machine(TRUST)
  await run('start', 'docs', '--detach')
  const sent = JSON.parse((await run('send', '@docs', '--as', 'human', '--json', 'hello')).stdout)
  await until('the reason', async () =>
    (await run('show', sent.id)).stdout.includes('it waits for you to trust this folder'),
  )
})

test('with --json the note goes to stderr, and stdout is the same', async () => {
  const { run } = await machine(TRUST)
  const { stdout, stderr } = await run('start', 'docs', '--detach', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ name: 'docs', outcome: 'started' })
  expect(stderr).toBe(`agent-chat: ${WAITS}\n`)
})

test.each([
  ['a login', "echo 'Select login method:'", 'waits for you to log in'],
  ['a first run', "echo 'Choose the text style'", 'waits for you to answer its first questions'],
])('start says which dialog it is: %s', async (_, first, says) => {
  const { run } = await machine(first)
  const { code, stderr } = await run('start', 'docs', '--detach')
  expect([code, stderr]).toEqual([0, `agent-chat: @docs ${says}: agent-chat attach docs\n`])
})

test('an agent that shows its box at once is started at once, without a word', async () => {
  const { run } = await machine(`printf '${BOX}\\033[2;3H'`)
  // Where it has seen no box for 15 s, it says so: see start.long.test.ts.
  expect(await run('start', 'docs', '--detach')).toMatchObject({ code: 0, stderr: '' })
  expect((await run('who', '--json')).stdout).not.toContain('dialog')
})
