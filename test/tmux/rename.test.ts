import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { liveWatcher } from '../../src/session/watcher.ts'
import { outcome, runCli, startCli } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'
import { ended, joinPane, send, standIn, tmuxWorld, type World, watching } from './world.ts'

const ONE = 'New message from @backend. Check inbox.'
const registered = ({ bus }: World, name: string) => findSession(readSessions(bus.home), name)

test('a live session in a pane is renamed: its doorbell goes on under the new name, also for what was unread', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  const before = await joinPane(world, 'frontend', agent.pane)
  send(world, 'backend', 'frontend')
  await until('the first ring', () => agent.pieces().length === 2)
  expect((await world.run(['rename', 'frontend', 'site'])).code).toBe(0)
  // Its watcher follows: it is known by the new name at once, and listens to the new bell in a
  // moment.
  expect(liveWatcher(world.bus, 'site')).toEqual(before)
  expect(liveWatcher(world.bus, 'frontend')).toBeUndefined()
  send(world, 'backend', 'site')
  await until('the second ring', () => agent.pieces().length === 4)
  // The first message is unread still, and was rung for.
  expect(agent.pieces()).toEqual([ONE, '\r', ONE, '\r'])
})

test('a watcher that starts for a name which the session has no more watches it under its new one', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  await world.run(['join', 'frontend', agent.pane.id, '--no-watch'])
  expect((await world.run(['rename', 'frontend', 'site'])).code).toBe(0)
  const ended = outcome(
    startCli(['watch', 'frontend'], { home: world.bus.home.root, env: world.server.env }),
  )
  await watching(world, 'site')
  send(world, 'backend', 'site')
  await until('the ring', () => agent.pieces().length === 2)
  expect((await world.run(['leave', 'site'])).code).toBe(0)
  expect((await ended).stderr).toContain('the watcher of @site ends')
})

test('there and back: the bell that a watcher listens to stays', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  const watcher = await joinPane(world, 'frontend', agent.pane)
  const { ino } = statSync(world.bus.home.bell('frontend'))
  process.kill(watcher.pid, 'SIGSTOP')
  for (const names of [
    ['frontend', 'site'],
    ['site', 'frontend'],
  ])
    expect((await world.run(['rename', ...names])).code).toBe(0)
  process.kill(watcher.pid, 'SIGCONT')
  expect(statSync(world.bus.home.bell('frontend')).ino).toBe(ino)
  send(world, 'backend', 'frontend')
  await until('the ring', () => agent.pieces().length === 2)
  expect(liveWatcher(world.bus, 'frontend')).toEqual(watcher)
})

test('a session that was renamed twice, and whose first name another one has taken since, keeps its watcher', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  const watcher = await joinPane(world, 'frontend', agent.pane)
  process.kill(watcher.pid, 'SIGSTOP')
  for (const args of [
    ['rename', 'frontend', 'site'],
    ['rename', 'site', 'page'],
    ['join', 'frontend', '--no-watch'],
  ])
    expect((await world.run(args)).code).toBe(0)
  process.kill(watcher.pid, 'SIGCONT')
  send(world, 'backend', 'page')
  await until('the ring', () => agent.pieces().length === 2)
  expect(agent.pieces()).toEqual([ONE, '\r'])
  expect(liveWatcher(world.bus, 'page')).toEqual(watcher)
  expect((await world.run(['leave', 'page'])).code).toBe(0)
  await ended(world, watcher)
})

test('a launched session is found again by its new name, and leaves when its agent ends', async () => {
  const world = await tmuxWorld()
  const launch = (...args: string[]) =>
    runCli(args, { home: world.bus.home.root, env: world.server.env })
  expect((await launch('backend', '--cmd', 'cat', '--detach')).code).toBe(0)
  await watching(world, 'backend')
  expect((await launch('rename', 'backend', 'payments')).code).toBe(0)
  const pane = registered(world, 'payments')?.pane ?? ''
  expect((await launch('payments', '--cmd', 'cat', '--detach')).stdout).toContain(
    '@payments is already running',
  )
  await named(world, pane, 'ac-payments')
  await world.server.pane(pane).key('C-d')
  await until('@payments to leave', () => registered(world, 'payments') === undefined)
  await until('its watcher to end', () => liveWatcher(world.bus, 'payments') === undefined)
})

test('without a watcher, the tmux session gets the new name all the same; one that the user has named is left alone', async () => {
  const world = await tmuxWorld()
  const launch = (...args: string[]) =>
    runCli(args, { home: world.bus.home.root, env: world.server.env })
  for (const name of ['backend', 'mine']) {
    expect((await launch(name, '--cmd', 'cat', '--detach')).code).toBe(0)
    process.kill((await watching(world, name)).pid, 'SIGTERM')
    await until('the watcher to end', () => liveWatcher(world.bus, name) === undefined)
  }
  const [backend = '', mine = ''] = ['backend', 'mine'].map(
    (name) => registered(world, name)?.pane ?? '',
  )
  await world.server.tmux('rename-session', '-t', 'ac-mine', 'of-the-user')
  // Not the session's own: it only has the name.
  await world.server.tmux('new-session', '-d', '-s', 'ac-mine', 'cat')
  expect((await launch('rename', 'mine', 'yours')).code).toBe(0)
  expect((await launch('rename', 'backend', 'payments')).code).toBe(0)
  await named(world, backend, 'ac-payments')
  await named(world, mine, 'of-the-user')
  await world.server.tmux('has-session', '-t', '=ac-mine')
})

/** Waits until the tmux session of a pane has this name. */
async function named(world: World, pane: string, name: string): Promise<void> {
  const now = async () =>
    (await world.server.tmux('display-message', '-p', '-t', pane, '#{session_name}')).trim()
  await until(`the tmux session ${name}`, async () => (await now()) === name)
}
