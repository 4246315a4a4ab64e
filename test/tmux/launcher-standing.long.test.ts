import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { liveWatcher } from '../../src/session/watcher.ts'
import { type Run, runCli } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import { PROMPT, READY, refOf, send, tmuxWorld, type World, watching } from './world.ts'

/** A launcher outside of tmux, on a machine whose tmux is the world's own. */
async function launcher() {
  const world = await tmuxWorld()
  await world.server.newSession({ name: 'other' })
  const launch = (args: string[], home = world.bus.home.root): Promise<Run> =>
    runCli(args, { home, env: { ...world.server.env, AGENT_CHAT_PROMPT: PROMPT } })
  return { world, launch }
}

const sessionOf = (world: World, name: string) => findSession(readSessions(world.bus.home), name)
const tmuxSessions = async (world: World) =>
  (await world.server.tmux('list-sessions', '-F', '#{session_name}'))
    .split('\n')
    .filter(Boolean)
    .sort()
const paneIn = async (world: World, session: string): Promise<Pane> =>
  world.server.pane(
    (await world.server.tmux('list-panes', '-t', session, '-F', '#{pane_id}')).trim(),
  )

const refusal = (what: string, name: string) => ({
  code: 8,
  stdout: '',
  stderr: `agent-chat: the tmux session ac-${name} ${what}\n  hint: choose another name, for example ${name}-2; look at it with: tmux attach -t '=ac-${name}'; or end it with: tmux kill-session -t '=ac-${name}'\n`,
})

describe('a tmux session of the name that is not this session', () => {
  test("is another home's: refused, also with --force, and that home's session is left alone", async () => {
    const { world, launch } = await launcher()
    expect((await launch(['backend', '--cmd', READY, '--detach'])).code).toBe(0)
    const before = sessionOf(world, 'backend')?.joined_at
    const second = tempBus()
    for (const more of [['--detach'], [], ['--detach', '--force']]) {
      const run = await launch(['backend', '--cmd', READY, ...more], second.home.root)
      expect(run).toMatchObject(
        refusal(`belongs to another home: ${world.bus.home.root}`, 'backend'),
      )
    }
    expect(readSessions(second.home)).toEqual({})
    expect(sessionOf(world, 'backend')?.joined_at).toBe(before)
  })

  test("is the user's own: refused; what the hint says works", async () => {
    const { world, launch } = await launcher()
    for (const name of ['ac-mine', 'ac-mine-3']) await world.server.newSession({ name })
    expect(await launch(['mine', '--cmd', READY, '--detach'])).toMatchObject(
      refusal('is there already, and no agent of this home in it', 'mine'),
    )
    expect(await launch(['mine-2', '--cmd', READY, '--detach'])).toMatchObject({
      code: 0,
      stderr: '',
    })
    await world.server.tmux('kill-session', '-t', '=ac-mine')
    expect(await launch(['mine', '--cmd', READY, '--detach'])).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(Object.keys(readSessions(world.bus.home)).sort()).toEqual(['mine', 'mine-2'])
  })

  test('has another session of this home in it: the refusal names that', async () => {
    const { world, launch } = await launcher()
    const pane = await world.server.newSession({ name: 'ac-mine' })
    expect((await world.run(['join', 'theirs', pane.id, '--no-watch'])).code).toBe(0)
    expect(await launch(['mine', '--cmd', READY, '--detach'])).toMatchObject(
      refusal('has @theirs in it', 'mine'),
    )
  })

  test('has the session in it that was joined there by hand: it is at work', async () => {
    const { world, launch } = await launcher()
    const pane = await world.server.newSession({ name: 'ac-mine' })
    expect((await world.run(['join', 'mine', pane.id, '--no-watch'])).code).toBe(0)
    expect(await launch(['mine', '--cmd', READY, '--detach'])).toMatchObject({
      code: 0,
      stdout: '@mine is already running; attach with: agent-chat attach mine\n',
    })
  })
})

describe('a session that has left while its agent works on', () => {
  // A shell has a process group of its own in its pane.
  test.each([READY, 'bash --norc'])(
    'is registered again, and leaves when its agent %s ends',
    async (command) => {
      const { world, launch } = await launcher()
      expect((await launch(['backend', '--cmd', command, '--detach'])).code).toBe(0)
      const first = await until('the agent in the registry', async () => {
        const session = sessionOf(world, 'backend')
        const launched = await (await paneIn(world, 'ac-backend')).pid()
        return session?.agent?.pid === launched ? undefined : session
      })
      expect((await launch(['leave', 'backend'])).code).toBe(0)
      expect(await launch(['backend', '--cmd', command, '--detach'])).toEqual({
        code: 0,
        signal: null,
        stdout:
          '@backend had left; it is registered again; attach with: agent-chat attach backend\n',
        stderr: '',
      })
      const again = sessionOf(world, 'backend')
      expect(again).toMatchObject({
        pane: first.pane,
        tmux_socket: first.tmux_socket,
        agent: first.agent,
        cwd: first.cwd,
      })
      expect(again?.joined_at).not.toBe(first.joined_at)
      await watching(world, 'backend')
      expect(await tmuxSessions(world)).toEqual(['ac-backend', 'other'])
      await (await paneIn(world, 'ac-backend')).key('C-d')
      await until('@backend to leave', () => sessionOf(world, 'backend') === undefined)
      await until(
        'its watcher to end',
        () => liveWatcher(world.bus, 'backend') === undefined,
        20_000,
      )
    },
  )

  test('is the agent that it was, with its server', async () => {
    const { world, launch } = await launcher()
    const start = ['backend', '--agent', 'qwen', '--cmd', READY, '--detach']
    expect((await launch(start)).code).toBe(0)
    const { program, server } = sessionOf(world, 'backend') ?? {}
    expect(program).toBe('qwen')
    expect(dirname(server ?? '')).toBe(world.bus.home.servers)
    expect((await launch(['leave', 'backend'])).code).toBe(0)
    expect((await launch(['backend', '--detach'])).code).toBe(0)
    expect(sessionOf(world, 'backend')).toMatchObject({ program, server })
  })

  test('and whose name another has taken since: refused, unless --force', async () => {
    const { world, launch } = await launcher()
    expect((await launch(['backend', '--cmd', READY, '--detach'])).code).toBe(0)
    expect((await launch(['leave', 'backend'])).code).toBe(0)
    const elsewhere = await world.server.newSession({ argv: ['cat'] })
    expect((await world.run(['join', 'backend', elsewhere.id, '--no-watch'])).code).toBe(0)
    const refused = await launch(['backend', '--detach'])
    expect(refused).toMatchObject({ code: 8, stdout: '' })
    expect(refused.stderr).toMatch(
      new RegExp(
        `@backend is already running in tmux pane ${elsewhere.id} .*\\n  hint: go to it with: agent-chat attach backend; `,
      ),
    )
    expect((await launch(['backend', '--detach', '--force'])).code).toBe(0)
    const pane = await paneIn(world, 'ac-backend')
    expect(sessionOf(world, 'backend')?.pane).toBe(pane.id)
    const { pid, started } = sessionOf(world, 'backend')?.agent ?? {}
    expect({ pid, started }).toEqual(refOf(world, pid))
  })
})

test.each([
  ['cat', 'New message from @docs. Check inbox.'],
  ['while read -r line; do echo "heard: $line"; done', 'heard: New message from @docs'],
])(
  'the agent %j is known again where its pane is joined from outside, and is rung',
  async (command, heard) => {
    const { world, launch } = await launcher()
    expect((await launch(['backend', '--cmd', command, '--detach'])).code).toBe(0)
    await watching(world, 'backend')
    const { agent, pane } = sessionOf(world, 'backend') ?? {}
    expect((await world.run(['join', 'backend', pane ?? ''])).code).toBe(0)
    expect(sessionOf(world, 'backend')?.agent).toEqual(agent)
    send(world, 'docs', 'backend')
    await (await paneIn(world, 'ac-backend')).waitFor(new RegExp(`^${heard}`, 'm'))
  },
)
