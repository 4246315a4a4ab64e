import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { markRead } from '../../src/bus/mail/inbox.ts'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { readWaiting } from '../../src/session/waiting.ts'
import { liveWatcher } from '../../src/session/watcher.ts'
import { readPidFile } from '../../src/system/pidFile.ts'
import { outcome, startCli } from '../../src/testing/cli.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import {
  joinPane,
  type StandIn,
  send,
  standIn,
  stopped,
  textOf,
  tmuxWorld,
  type World,
  waits,
} from './world.ts'

const ONE = 'New message from @backend. Check inbox.'
const rings = (world: World) => eventsOf(world.bus.home, 'rung').map(({ ids }) => ids)
const enters = (agent: StandIn) => agent.pieces().filter((piece) => piece === '\r').length
const rung = (world: World, agent: StandIn, times = 1) =>
  until(`ring ${times}`, () => enters(agent) === times && rings(world).length === times)
const read = ({ bus }: World, ...ids: string[]) =>
  ids.forEach((id) => void markRead(bus, 'frontend', id))

describe('a watcher rings', () => {
  test('for one message: the text, Enter by itself, once', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await joinPane(world, 'frontend', agent.pane)
    const first = send(world, 'backend', 'frontend')
    await rung(world, agent)
    // What is still unread when the next one comes has been rung for.
    const second = send(world, 'docs', 'frontend')
    await rung(world, agent, 2)
    expect(agent.pieces()).toEqual([ONE, '\r', 'New message from @docs. Check inbox.', '\r'])
    expect(rings(world)).toEqual([[first], [second]])
  })

  test('once for what arrives together', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    // The watcher is a shell that starts whatever rings: that alone, stopped, would ring on.
    const goOn = await stopped(watcher, readPidFile(world.bus.home.ringerPid))
    const ids = ['backend', 'docs', 'backend'].map((from) => send(world, from, 'frontend'))
    goOn()
    await rung(world, agent)
    expect(agent.pieces()).toEqual(['3 new messages from @backend, @docs. Check inbox.', '\r'])
    expect(rings(world)).toEqual([ids])
  })

  test('for what was unread before it started, and not for what was read by then', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    read(world, send(world, 'docs', 'frontend'))
    const waiting = send(world, 'backend', 'frontend')
    await joinPane(world, 'frontend', agent.pane)
    await rung(world, agent)
    expect(agent.pieces()).toEqual([ONE, '\r'])
    expect(rings(world)).toEqual([[waiting]])
  })

  test('for nothing that was read before it could ring', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await joinPane(world, 'frontend', agent.pane)
    await agent.pane.type('half a thought')
    const early = send(world, 'docs', 'frontend')
    await waits(world, 'frontend', /box holds text/)
    read(world, early)
    await until('nothing to wait for', () => waitsForNothing(world))
    await agent.pane.key('C-u')
    send(world, 'backend', 'frontend')
    await rung(world, agent)
    expect(agent.pieces()).toEqual(['half a thought', '\x15', ONE, '\r'])
  })

  test('again for the next agent in its pane: the one before has got its rings', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await joinPane(world, 'frontend', agent.pane)
    send(world, 'backend', 'frontend')
    await rung(world, agent)
    const next = await standIn(world)
    await joinPane(world, 'frontend', next.pane, '--force')
    await until('a ring for the next agent', () => enters(next) === 1)
    expect(next.pieces()).toEqual([ONE, '\r'])
    expect(agent.pieces()).toEqual([ONE, '\r'])
  })
})

describe('a watcher types nothing, and rings later,', () => {
  test('while the input box holds something half-typed', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await joinPane(world, 'frontend', agent.pane)
    await agent.pane.type('half a thought')
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /box holds text/)
    expect(await agent.pane.screen()).toMatch(/^❯ half a thought\s*$/)
    await agent.pane.key('C-u')
    await rung(world, agent)
    expect(agent.pieces()).toEqual(['half a thought', '\x15', ONE, '\r'])
  })

  test('while the pane is in copy mode, which it does not leave', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await joinPane(world, 'frontend', agent.pane)
    await world.server.tmux('copy-mode', '-t', agent.pane.id)
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /copy mode/)
    expect(
      (
        await world.server.tmux('display-message', '-p', '-t', agent.pane.id, '#{pane_mode}')
      ).trim(),
    ).toBe('copy-mode')
    expect(agent.pieces()).toEqual([])
    await world.server.tmux('send-keys', '-t', agent.pane.id, '-X', 'cancel')
    await rung(world, agent)
    expect(agent.pieces()).toEqual([ONE, '\r'])
  })

  test('while the agent is suspended and its shell is in front', async () => {
    const world = await tmuxWorld()
    const pane = await world.server.newSession()
    // A cat takes whole lines from its terminal, so Ctrl-Z reaches it as it would reach any
    // program.
    await pane.submit('cat')
    await until('the cat', async () => (await commandOf(world, pane.id)) === 'cat')
    await joinPane(world, 'frontend', pane)
    await pane.key('C-z')
    await pane.waitFor(/Stopped/)
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /another program is in front/)
    const before = await pane.screen()
    expect(before).not.toContain('New message')
    await pane.submit('fg')
    await pane.waitFor(/(New message from @backend. Check inbox.\n){2}/)
    expect(await pane.screen()).not.toContain('command not found')
  })

  test('while another program is in front of the agent', async () => {
    const world = await tmuxWorld()
    const pane = await world.server.newSession()
    await pane.submit('cat')
    await until('the cat', async () => (await commandOf(world, pane.id)) === 'cat')
    await joinPane(world, 'frontend', pane)
    await pane.key('C-z')
    await pane.waitFor(/Stopped/)
    await pane.submit('vi -u NONE')
    await until('vi', async () => /^vim?/.test(await commandOf(world, pane.id)))
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /another program is in front/)
    await pane.submit(':q!')
    await until('the shell', async () => (await commandOf(world, pane.id)) === 'bash')
    await pane.submit('fg')
    await pane.waitFor(/(New message from @backend. Check inbox.\n){2}/)
  })

  test('while all doorbells are paused', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await joinPane(world, 'frontend', agent.pane)
    writeFileSync(world.bus.home.paused, '')
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /paused/)
    expect(agent.pieces()).toEqual([])
    rmSync(world.bus.home.paused)
    await rung(world, agent)
  })

  test('where a shell runs in the pane of a session whose agent is not known', async () => {
    const world = await tmuxWorld()
    const pane = await world.server.newSession()
    await pane.waitFor(/^bash-/m)
    await joinPane(world, 'frontend', pane)
    const before = await pane.screen()
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /a shell runs in the pane/)
    expect(await pane.screen()).toBe(before)
    await pane.submit('cat')
    await pane.waitFor(/cat\n(New message from @backend. Check inbox.\n){2}/)
  })

  test('while a full-screen program has the pane of a session whose agent is not known', async () => {
    const world = await tmuxWorld()
    const pane = await world.server.newSession()
    await pane.waitFor(/^bash-/m)
    await joinPane(world, 'frontend', pane)
    await pane.submit('vi -u NONE')
    await until('vi', async () => /^vim?/.test(await commandOf(world, pane.id)))
    await pane.waitFor(/~/)
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /full-screen program/)
    await pane.submit(':q!')
    await until('the shell', async () => (await commandOf(world, pane.id)) === 'bash')
    await pane.submit('cat')
    await pane.waitFor(/cat\n(New message from @backend. Check inbox.\n){2}/)
  })
})

describe('what happens between the text and its Enter', () => {
  /** A ring that stands still when its text has been typed. */
  async function halfRing(options: { inShell?: boolean } = {}) {
    const world = await tmuxWorld()
    const agent = await standIn(world, options)
    await world.run(['join', 'frontend', agent.pane.id, '--no-watch'])
    send(world, 'backend', 'frontend')
    const env = { TMUX: `${world.server.socket},0,0`, AGENT_CHAT_FAULT: 'ring:typed:stop' }
    const watcher = startCli(['watch', 'frontend'], { home: world.bus.home.root, env })
    const atFault = () =>
      until('the watcher to stand still', () => / T /.test(textOf(`/proc/${watcher.pid}/stat`)))
    await atFault()
    await until('the text', () => agent.pieces().join() === ONE)
    return { world, agent, watcher, atFault, goOn: () => watcher.kill('SIGCONT') }
  }

  test('copy mode: no Enter until it is left, and then Enter alone', async () => {
    const { world, agent, goOn } = await halfRing()
    await world.server.tmux('copy-mode', '-t', agent.pane.id)
    goOn()
    await waits(world, 'frontend', /copy mode/)
    expect(agent.pieces()).toEqual([ONE])
    await world.server.tmux('send-keys', '-t', agent.pane.id, '-X', 'cancel')
    await rung(world, agent)
    expect(agent.pieces()).toEqual([ONE, '\r'])
  })

  test('a person types on: no Enter until the box is empty, and then all of it', async () => {
    const { world, agent, atFault, goOn } = await halfRing()
    await agent.pane.type(' and more')
    await agent.pane.waitFor(/inbox\. and more/)
    goOn()
    await waits(world, 'frontend', /holds text/)
    expect(agent.pieces()).toEqual([`${ONE} and more`])
    await agent.pane.key('C-u')
    await atFault()
    goOn()
    await rung(world, agent)
    expect(agent.pieces()).toEqual([`${ONE} and more`, '\x15', ONE, '\r'])
  })

  test('the agent ends: no Enter for the shell behind it', async () => {
    const { world, agent, watcher, goOn } = await halfRing({ inShell: true })
    const over = outcome(watcher)
    process.kill(
      findSession(readSessions(world.bus.home), 'frontend')?.agent?.pid ?? Number.NaN,
      'SIGKILL',
    )
    await agent.pane.waitFor(/Killed/)
    await agent.pane.type('echo half')
    await agent.pane.waitFor(/echo half$/m)
    goOn()
    expect((await over).stderr).toContain('the agent has ended')
    expect(rings(world)).toEqual([])
    expect((await agent.pane.screen()).trimEnd()).toMatch(/echo half$/)
  })
})

describe('the stdout doorbell', () => {
  test('prints one line a ring for whoever runs the watcher; joining starts none', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    expect(
      (await world.run(['join', 'frontend', agent.pane.id, '--doorbell', 'stdout'])).code,
    ).toBe(0)
    expect(liveWatcher(world.bus, 'frontend')).toBeUndefined()
    const watcher = startCli(['watch', 'frontend'], { home: world.bus.home.root })
    const over = outcome(watcher)
    send(world, 'backend', 'frontend')
    await until('the first ring', () => rings(world).length === 1)
    send(world, 'docs', 'frontend')
    await until('the second ring', () => rings(world).length === 2)
    await world.run(['leave', 'frontend'])
    expect(await over).toMatchObject({
      code: 0,
      stdout: `${ONE}\nNew message from @docs. Check inbox.\n`,
    })
    expect(agent.pieces()).toEqual([])
  })

  test('has not rung where nobody reads what it prints', async () => {
    const world = await tmuxWorld()
    await world.run(['join', 'frontend', '--no-watch', '--doorbell', 'stdout'])
    const deaf = startCli(['watch', 'frontend'], { home: world.bus.home.root })
    deaf.stdout?.destroy()
    send(world, 'backend', 'frontend')
    await new Promise((resolve) => deaf.once('close', resolve))
    expect(rings(world)).toEqual([])
    const watcher = startCli(['watch', 'frontend'], { home: world.bus.home.root })
    const over = outcome(watcher)
    await until('the ring', () => rings(world).length === 1)
    watcher.kill('SIGTERM')
    expect((await over).stdout).toBe(`${ONE}\n`)
  })
})

test('a watcher for nobody, or for a doorbell that needs none, is refused', async () => {
  const world = await tmuxWorld()
  expect(await world.run(['watch', 'nobody'])).toMatchObject({ code: 4, stdout: '' })
  await world.run(['join', 'frontend', '--no-watch'])
  expect(await world.run(['watch', 'frontend', '--doorbell', 'native'])).toMatchObject({
    code: 2,
    stdout: '',
  })
  expect(await world.run(['watch', 'frontend', '--doorbell', 'gong'])).toMatchObject({
    code: 2,
    stdout: '',
  })
  expect(liveWatcher(world.bus, 'frontend')).toBeUndefined()
})

function waitsForNothing({ bus }: World): boolean {
  return readWaiting(bus.home, 'frontend') === undefined
}

async function commandOf(world: World, pane: string): Promise<string> {
  return (
    await world.server.tmux('display-message', '-p', '-t', pane, '#{pane_current_command}')
  ).trim()
}
