import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSessions } from '../../src/bus/names/registry.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { send, tmuxWorld, type World } from './world.ts'

/** A world with a session that the launcher started: an agent with an input line. */
async function launched(name: string, command: string, world?: World) {
  const here = world ?? (await tmuxWorld())
  if (!world) await here.server.newSession({ name: 'other' })
  const chat = (...args: string[]) =>
    runCli(args, { home: here.bus.home.root, env: { ...here.server.env } })
  const started = await chat('start', name, '--cmd', command, '--detach')
  expect(started).toMatchObject({ code: 0, stderr: '' })
  const agent = readSessions(here.bus.home)[name]?.agent
  if (!agent) throw new Error(`@${name} has no agent`)
  return { world: here, chat, agent }
}

const PROMPT = `sh -c 'printf "> "; exec cat'`
/** An agent that does not want to end. */
const STUBBORN =
  "for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => {}); process.stdout.write('> '); setInterval(() => {}, 60_000)"

describe('stop', () => {
  test('ends the agent, has the session leave, and says what was unread', async () => {
    const { world, chat, agent } = await launched('backend', PROMPT)
    send(world, 'human', 'backend')
    expect(await chat('stop', '@backend')).toMatchObject({
      code: 0,
      stdout: 'stopped @backend; 1 unread message kept\n',
      stderr: '',
    })
    expect(world.bus.processes.isAlive(agent)).toBe(false)
    expect(readSessions(world.bus.home)).toEqual({})
    // Not `exit code 143`: the feed says that you stopped it.
    expect(eventsOf(world.bus.home, 'ended')).toMatchObject([{ name: 'backend', stopped: true }])
    await until(
      'its tmux session to end',
      async () =>
        (await world.server.tmux('list-sessions', '-F', '#{session_name}')).trim() === 'other',
    )
  })

  test('is not what an agent that was ended by somebody else is said to be', async () => {
    const { world, agent } = await launched('backend', PROMPT)
    world.bus.processes.signal(agent, 'SIGTERM')
    const [end] = await until('its end', () => {
      const ends = eventsOf(world.bus.home, 'ended')
      return ends.length > 0 && ends
    })
    expect(end).toMatchObject({ code: 143 })
    expect(end).not.toHaveProperty('stopped')
  })

  test('kills an agent that does not end when asked', async () => {
    const script = join(tempDirectory(), 'stubborn.mjs')
    writeFileSync(script, STUBBORN)
    const { world, chat, agent } = await launched('backend', `${process.execPath} ${script}`)
    expect((await chat('stop', 'backend')).stdout).toBe(
      'stopped @backend; it did not end when asked, so it was killed\n',
    )
    expect(world.bus.processes.isAlive(agent)).toBe(false)
    expect((await world.server.tmux('list-sessions', '-F', '#{session_name}')).trim()).toBe('other')
  })

  test('takes several names, and stops none where one of them cannot be stopped', async () => {
    const { world, chat, agent } = await launched('backend', PROMPT)
    const { agent: second } = await launched('frontend', PROMPT, world)
    const pane = await world.server.newSession({ argv: ['cat'] })
    expect((await world.run(['join', 'mine', pane.id, '--no-watch'])).code).toBe(0)
    const rows: [names: string[], code: number][] = [
      [['backend', 'nobody'], 4],
      [['nobody', 'backend'], 4],
      [['backend', 'frontend', 'fronted'], 4],
      // agent-chat did not start it.
      [['backend', 'mine'], 2],
      [['mine', 'frontend'], 2],
      [['backend', 'Not a name'], 2],
      [['backend', '--all'], 2],
    ]
    for (const [names, code] of rows)
      expect(await chat('stop', ...names), names.join(' ')).toMatchObject({ code, stdout: '' })
    expect([agent, second].map((one) => world.bus.processes.isAlive(one))).toEqual([true, true])
    expect(await chat('stop', 'backend', '@frontend', 'backend')).toMatchObject({
      code: 0,
      stdout: 'stopped @backend\nstopped @frontend\n',
    })
    expect(Object.keys(readSessions(world.bus.home))).toEqual(['mine'])
  })

  test('--all leaves alone what the launcher did not start', async () => {
    const { world, chat } = await launched('backend', PROMPT)
    const pane = await world.server.newSession({ argv: ['cat'] })
    expect((await world.run(['join', 'mine', pane.id, '--no-watch'])).code).toBe(0)
    const mine = readSessions(world.bus.home).mine?.agent
    expect(await chat('stop', '--all')).toMatchObject({
      code: 0,
      stdout: 'stopped @backend\n',
      stderr:
        'agent-chat: @mine goes on: agent-chat did not start it; end it in its own terminal\n',
    })
    expect(mine && world.bus.processes.isAlive(mine)).toBe(true)
  })
})
