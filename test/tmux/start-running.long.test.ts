import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { DIST, runCli } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import type { TmuxServer } from '../e2e/harness/tmux.ts'
import { PROMPT, READY, refOf, serverForTest, tmuxWorld, type World } from './world.ts'

const AGENT_CHAT = `"${RUNTIME}" "${join(DIST, 'main.js')}"`

/** Where the session @backend runs before somebody starts it again. */
const RUNS = {
  'a pane of your own': async (world: World) => {
    const pane = await world.server.newSession({ name: 'mine', argv: ['cat'] })
    expect((await world.run(['join', 'backend', pane.id, '--no-watch'])).code).toBe(0)
    return 'mine'
  },
  'a tmux session of ours': async (world: World) => {
    const run = await launch(world, 'start', 'backend', '--cmd', READY, '--detach')
    expect(run).toMatchObject({ code: 0 })
    return 'ac-backend'
  },
  'no pane': async (world: World) => {
    const agent = refOf(world, process.pid)
    const backend = { name: 'backend', pane: null, agent, cwd: '/somewhere' }
    writeFileSync(world.bus.home.sessions, JSON.stringify({ backend }))
    return ''
  },
}
const IN_TMUX = ['a pane of your own', 'a tmux session of ours'] as const
const WORDS = ['backend', '@backend', 'start backend']

/** A command line from outside of tmux, without a terminal. */
function launch(world: World, ...args: string[]) {
  const env = { AGENT_CHAT_PROMPT: PROMPT, ...world.server.env }
  return runCli(args, { home: world.bus.home.root, env })
}

/** A bash at a terminal in a pane of this server. */
function shell(world: World, server: TmuxServer): Promise<Pane> {
  const env = { AGENT_CHAT_HOME: world.bus.home.root }
  return server.newSession({ name: 'shell', width: 220, env })
}

/** Has somebody look at the pane; what is shown to them is the name of a tmux session. */
async function lookAt(world: World, pane: Pane): Promise<() => Promise<string>> {
  const screen = await serverForTest()
  await screen.newSession({
    cmd: `TMUX= exec tmux -S '${world.server.socket}' attach -t ${pane.id}`,
  })
  const shown = async () =>
    (await world.server.tmux('list-clients', '-F', '#{session_name}')).trim()
  await until('the client', async () => (await shown()) === 'shell')
  return shown
}

/** A world with a session; its tmux server is there before, as on a person's machine. */
async function running(where: keyof typeof RUNS) {
  const world = await tmuxWorld()
  await world.server.newSession({ name: 'other' })
  const session = await RUNS[where](world)
  const before = findSession(readSessions(world.bus.home), 'backend')
  const stays = () =>
    expect(findSession(readSessions(world.bus.home), 'backend')).toMatchObject({
      pane: before?.pane ?? null,
      agent: before?.agent ?? null,
      cwd: before?.cwd,
    })
  return { world, session, stays }
}

describe.each(IN_TMUX)('a session that runs in %s', (where) => {
  test.each(WORDS)('is attached by %s from a terminal outside of tmux', async (words) => {
    const { world, session, stays } = await running(where)
    const server = await serverForTest()
    const env = { ...world.server.env, AGENT_CHAT_HOME: world.bus.home.root }
    const line = `unset TMUX TMUX_PANE; ${AGENT_CHAT} ${words}; echo "ended with $?"; exec cat`
    const terminal = await server.newSession({ cmd: line, env })
    const clients = () => world.server.tmux('list-clients', '-F', '#{session_name}')
    await until('the client', async () => (await clients()).trim() === session)
    await world.server.tmux('detach-client', '-s', session)
    await terminal.waitFor(/^ended with 0$/m)
    stays()
  })

  test.each(WORDS)('is turned to by %s from another pane of its server', async (words) => {
    const { world, session, stays } = await running(where)
    const pane = await shell(world, world.server)
    const shown = await lookAt(world, pane)
    await pane.submit(`${AGENT_CHAT} ${words}; echo "ended with $?"`)
    await until('the client to turn', async () => (await shown()) === session)
    await pane.waitFor(/^ended with 0$/m)
    stays()
  })

  test('is named from a pane of another server, which cannot show it', async () => {
    const { world, stays } = await running(where)
    const pane = await shell(world, await serverForTest())
    await pane.submit(`${AGENT_CHAT} backend; echo "ended with $?"`)
    const said = await pane.waitFor(/^ended with 2$/m)
    expect(said).toContain('@backend is in another tmux server than this terminal')
    expect(said).toMatch(/hint: detach from this one first, .*then: agent-chat attach\s+backend$/m)
    stays()
  })

  test.each([[[]], [['--detach']], [['--no-tmux']]])(
    'is not started again without a terminal, with %j: attach comes first',
    async (more) => {
      const { world, stays } = await running(where)
      const run = await launch(world, 'start', 'backend', '--cmd', 'cat', ...more)
      expect(run.stdout + run.stderr).toMatch(
        /@backend is already running[^\n]*; attach with: agent-chat attach backend\n$|hint: go to it with: agent-chat attach backend; or .*; or take this one over with --force\n$/,
      )
      expect([0, 8]).toContain(run.code)
      stays()
    },
  )
})

test.each(WORDS)('a session without a pane is not started again by %s', async (words) => {
  const { world, stays } = await running('no pane')
  const pane = await shell(world, world.server)
  await pane.submit(`${AGENT_CHAT} ${words}; echo "ended with $?"`)
  const said = (await pane.waitFor(/^ended with 8$/m)).replaceAll(/\s+/g, ' ')
  expect(said).toMatch(/@backend is already running as process \d+ \(\/somewhere\) hint: it is in /)
  expect(said).toMatch(
    /its own terminal; or choose another name, .*; or take this one over with --force/,
  )
  stays()
})

describe('in the very pane of the session', () => {
  test('an agent that is suspended there is brought back, not started again', async () => {
    const world = await tmuxWorld()
    const pane = await shell(world, world.server)
    await pane.submit(`${AGENT_CHAT} start backend --cmd cat`)
    const agent = await until(
      'the agent',
      () => findSession(readSessions(world.bus.home), 'backend')?.agent ?? undefined,
    )
    await pane.key('C-z')
    await pane.waitFor(/Stopped/)
    await pane.submit(`${AGENT_CHAT} backend; echo "ended with $?"`)
    expect((await pane.waitFor(/^ended with 8$/m)).replaceAll(/\s+/g, ' ')).toContain(
      '@backend is already running in this pane hint: bring it back with: fg; or choose ',
    )
    expect(findSession(readSessions(world.bus.home), 'backend')?.agent).toEqual(agent)
  })

  test('a name that was joined there, with no agent yet, is started there', async () => {
    const world = await tmuxWorld()
    const pane = await shell(world, world.server)
    expect((await world.run(['join', 'backend', pane.id, '--no-watch'])).code).toBe(0)
    expect(findSession(readSessions(world.bus.home), 'backend')?.agent).toBeNull()
    await pane.submit(`${AGENT_CHAT} backend --cmd cat`)
    await until(
      'the agent',
      () => findSession(readSessions(world.bus.home), 'backend')?.agent ?? undefined,
    )
  })
})

test('--force takes the name over, and attaches nothing', async () => {
  const { world } = await running('a pane of your own')
  const run = await launch(world, 'start', 'backend', '--cmd', READY, '--detach', '--force')
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^started @backend/) })
})
