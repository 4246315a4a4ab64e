import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { believedState } from '../../src/session/stateFile.ts'
import { watcherOf } from '../../src/session/watcher.ts'
import { DIST, outcome, startCli } from '../../src/testing/cli.ts'
import { eventsOf, filesIn } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'
import { isStopped } from '../../src/testing/stopped.ts'
import { until } from '../../src/testing/until.ts'
import type { TmuxServer } from '../e2e/harness/tmux.ts'
import {
  ended,
  joinPane,
  logOf,
  refOf,
  send,
  serverForTest,
  standIn,
  stopped,
  textOf,
  tmuxWorld,
  type World,
  waits,
} from './world.ts'

const ONE = 'New message from @backend. Check inbox.'
/**
 * A limit of the machine can be set for one process in a namespace of its own; some systems allow
 * none.
 */
const CAN_UNSHARE = spawnSync('unshare', ['-rU', 'true']).status === 0
const registered = ({ bus }: World, name: string) => findSession(readSessions(bus.home), name)

describe('a watcher ends, and takes its session out of the registry,', () => {
  test('when the agent was killed and a shell runs in its place', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world, { inShell: true })
    const watcher = await joinPane(world, 'frontend', agent.pane)
    const session = registered(world, 'frontend')
    process.kill(session?.agent?.pid ?? Number.NaN, 'SIGKILL')
    send(world, 'backend', 'frontend')
    await ended(world, watcher)
    expect(registered(world, 'frontend')).toBeUndefined()
    expect(logOf(world, 'frontend')).toContain('ends: the agent has ended')
    expect(filesIn(world.bus.home.pids).filter((file) => file.endsWith('.pid'))).toEqual([])
    expect(await agent.pane.screen()).not.toContain('New message')
  })

  test('when the pane is gone', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    await agent.pane.kill()
    await ended(world, watcher)
    expect(registered(world, 'frontend')).toBeUndefined()
  })

  test('when the pane of a session whose agent is not known is gone', async () => {
    const world = await tmuxWorld()
    const pane = await world.server.newSession()
    await world.server.newSession()
    await pane.waitFor(/^bash-/m)
    const watcher = await joinPane(world, 'frontend', pane)
    expect(registered(world, 'frontend')?.agent).toBeNull()
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /a shell runs/)
    await pane.kill()
    await ended(world, watcher)
    expect(registered(world, 'frontend')).toBeUndefined()
    expect(logOf(world, 'frontend')).toContain('ends: the pane is gone')
  })

  test('when the whole tmux server is gone', async () => {
    const world = await tmuxWorld()
    const pane = await world.server.newSession()
    await pane.waitFor(/^bash-/m)
    const watcher = await joinPane(world, 'frontend', pane)
    await world.server.tmux('kill-server')
    await ended(world, watcher)
    expect(registered(world, 'frontend')).toBeUndefined()
  })
})

describe('a watcher ends', () => {
  test('when its session leaves; what is unread stays', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    await agent.pane.type('half a thought')
    const id = send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /holds text/)
    expect(await world.run(['leave', 'frontend'])).toMatchObject({
      code: 0,
      stdout: '@frontend has left; 1 unread message kept\n',
    })
    expect(world.bus.processes.isAlive(watcher)).toBe(false)
    expect(existsSync(world.bus.home.unread('frontend', id))).toBe(true)
    expect(existsSync(world.bus.home.waiting('frontend'))).toBe(false)
  })

  test('before `leave` does, also where it has seen that by itself', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    // What waits to ring looks often, and so sees it at once.
    await agent.pane.type('half a thought')
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /holds text/)
    const goOn = await stopped(watcher)
    const { home } = world.bus
    const leaving = startCli(['leave', 'frontend'], {
      home: home.root,
      env: { AGENT_CHAT_FAULT: 'leave:unregistered:stop' },
    })
    const over = outcome(leaving)
    // What rings has ended by then, and its watcher, which stands still, is nobody's.
    await until(
      'nobody to watch',
      () => !existsSync(home.watcherPid) && !existsSync(home.ringerPid) && isStopped(leaving.pid),
    )
    leaving.kill('SIGCONT')
    await until('it to be told', () => isTold(watcher.pid))
    goOn()
    expect(await over).toMatchObject({ code: 0 })
    expect(world.bus.processes.isAlive(watcher)).toBe(false)
  })

  test('when its session joins again: one watcher, one ring', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const first = await joinPane(world, 'frontend', agent.pane)
    const second = await joinPane(world, 'frontend', agent.pane)
    expect(second).toEqual(first)
    send(world, 'backend', 'frontend')
    await until('the ring', () => agent.pieces().includes('\r'))
    expect(agent.pieces()).toEqual([ONE, '\r'])
  })

  test('when its home is gone, and does not make a new one', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    renameSync(world.bus.home.root, `${world.bus.home.root}-moved`)
    await ended(world, watcher)
    expect(existsSync(world.bus.home.root)).toBe(false)
    expect(agent.pieces()).toEqual([])
  })

  test('when another watcher of its session takes over; between them they ring once', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const first = await joinPane(world, 'frontend', agent.pane)
    // Both stand still when the message comes, so that both find it.
    const other = startCli(['watch', 'frontend'], runOptions(world))
    const over = outcome(other)
    const second = refOf(world, other.pid)
    await until(
      'the second watcher',
      () => watcherOf(world.bus.home, 'frontend')?.pid === second.pid,
    )
    await until(
      'both to watch',
      () => logOf(world, 'frontend').split('watching the inbox').length === 3,
    )
    process.kill(first.pid, 'SIGSTOP')
    process.kill(second.pid, 'SIGSTOP')
    send(world, 'backend', 'frontend')
    process.kill(first.pid, 'SIGCONT')
    process.kill(second.pid, 'SIGCONT')
    await until(
      'the ring',
      () => agent.pieces().includes('\r') && eventsOf(world.bus.home, 'rung').length > 0,
    )
    await ended(world, first)
    expect(agent.pieces()).toEqual([ONE, '\r'])
    expect(eventsOf(world.bus.home, 'rung')).toHaveLength(1)
    process.kill(second.pid, 'SIGTERM')
    expect(await over).toMatchObject({
      code: 0,
      stderr: 'agent-chat: the watcher of @frontend ends: it was told to end\n',
    })
  })
})

describe("a pid file that names a process which is not the session's watcher", () => {
  const FILES: [what: string, file: (pid: number, started: string) => string][] = [
    ['a pid alone', (pid) => `${pid}\n`],
    ['a pid that is used again', (pid) => `${pid}\nan earlier start\n`],
    ['a group of processes', (pid, started) => `-${pid}\n${started}\n`],
    ['every process', (_, started) => `-1\n${started}\n`],
    ['no number', (_, started) => `$(kill 1)\n${started}\n`],
  ]
  test.each(FILES)('gets nobody killed: %s', async (_, file) => {
    const world = await tmuxWorld()
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })
    onTestFinished(() => void stranger.kill('SIGKILL'))
    const ref = refOf(world, stranger.pid)
    expect((await world.run(['join', 'frontend', '--no-watch'])).code).toBe(0)
    writeFileSync(world.bus.home.pid('frontend'), file(ref.pid, ref.started))
    expect((await world.run(['who'])).stdout).toMatch(/@frontend/)
    expect((await world.run(['join', 'frontend', '--no-watch'])).code).toBe(0)
    expect((await world.run(['leave', 'frontend'])).code).toBe(0)
    expect(world.bus.processes.isAlive(ref)).toBe(true)
  })
})

describe('a watcher that was killed with -9', () => {
  const CRASHES: [step: string, pieces: string[]][] = [
    ['ring:claimed', [ONE, '\r']],
    // The first character stood in the box already: the rest was missing.
    ['ring:begun', [ONE, '\r']],
    // The line stood in the box already: Enter alone was missing.
    ['ring:typed', [ONE, '\r']],
  ]
  test.each(CRASHES)('at %s is made good by the next one', async (step, pieces) => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await world.run(['join', 'frontend', agent.pane.id, '--no-watch'])
    const id = send(world, 'backend', 'frontend')
    const killed = startCli(['watch', 'frontend'], runOptions(world, { AGENT_CHAT_FAULT: step }))
    expect((await outcome(killed)).signal).toBe('SIGKILL')
    expect(eventsOf(world.bus.home, 'rung')).toEqual([])
    const next = startCli(['watch', 'frontend'], runOptions(world))
    await until(
      'the ring',
      () => agent.pieces().includes('\r') && eventsOf(world.bus.home, 'rung').length > 0,
    )
    expect(agent.pieces()).toEqual(pieces)
    expect(eventsOf(world.bus.home, 'rung')).toMatchObject([{ ids: [id], doorbell: 'tmux' }])
    next.kill('SIGTERM')
  })

  test('is replaced by the next join', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    process.kill(watcher.pid, 'SIGKILL')
    await ended(world, watcher)
    expect((await world.run(['who'])).stdout).toContain('no watcher')
    send(world, 'backend', 'frontend')
    const next = await joinPane(world, 'frontend', agent.pane)
    expect(next.pid).not.toBe(watcher.pid)
    await until('the ring', () => agent.pieces().includes('\r'))
    expect((await world.run(['who'])).stdout).not.toContain('no watcher')
  })
})

describe('a watcher goes on', () => {
  test('while sessions.json cannot be read', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    writeFileSync(world.bus.home.sessions, '{"frontend": ')
    send(world, 'backend', 'frontend')
    await until(
      'the ring',
      () => agent.pieces().includes('\r') && eventsOf(world.bus.home, 'rung').length > 0,
    )
    expect(agent.pieces()).toEqual([ONE, '\r'])
    expect(world.bus.processes.isAlive(watcher)).toBe(true)
  })

  test('when state/ was removed', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    const watcher = await joinPane(world, 'frontend', agent.pane)
    rmSync(world.bus.home.states, { recursive: true })
    await agent.pane.type('x')
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /holds text/)
    rmSync(world.bus.home.states, { recursive: true })
    await agent.pane.key('C-u')
    await until(
      'the ring',
      () => agent.pieces().includes('\r') && eventsOf(world.bus.home, 'rung').length > 0,
    )
    expect(world.bus.processes.isAlive(watcher)).toBe(true)
    expect(believedState(world.bus.home, 'frontend', world.bus.processes)).toBeUndefined()
  })

  test('with a log that stays small', async () => {
    const world = await tmuxWorld()
    const agent = await standIn(world)
    await world.run(['join', 'frontend', agent.pane.id, '--no-watch'])
    const log = world.bus.home.watcherLog('frontend')
    writeFileSync(log, `${'x'.repeat(130 * 1024)}\n`)
    writeFileSync(`${log}.1`, 'the one before')
    await joinPane(world, 'frontend', agent.pane)
    expect(statSync(log).size).toBeLessThan(1000)
    expect(readFileSync(`${log}.1`, 'utf8')).toMatch(/^x+\n$/)
  })

  test(
    'by looking every second where the machine has no file events left, and says so once',
    leftOut(!CAN_UNSHARE && 'unshare makes no user'),
    async () => {
      const world = await tmuxWorld()
      const agent = await standIn(world)
      await world.run(['join', 'frontend', agent.pane.id, '--no-watch'])
      const line = `echo 0 > /proc/sys/user/max_inotify_watches && exec "${RUNTIME}" "${DIST}/main.js" watch frontend`
      const watcher = spawn('unshare', ['-rU', 'sh', '-c', line], {
        env: { PATH: process.env.PATH, AGENT_CHAT_HOME: world.bus.home.root },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const over = outcome(watcher)
      await until('the watcher', () => logOf(world, 'frontend').includes('watching the inbox'))
      for (const [times, from] of ['backend', 'docs'].entries()) {
        send(world, from, 'frontend')
        await until('a ring', () => eventsOf(world.bus.home, 'rung').length === times + 1)
      }
      watcher.kill('SIGTERM')
      expect(await over).toMatchObject({ stderr: expect.stringContaining('told to end') })
      expect(
        logOf(world, 'frontend').match(
          /file events are not available \(.*ENOSPC.*\); looking every 1000 ms/g,
        ),
      ).toHaveLength(1)
    },
  )
})

test('a pane is that of its own tmux server, also where another server has one of the same id', async () => {
  const world = await tmuxWorld()
  const other = await serverForTest()
  const theirs = await standIn(world, { server: other })
  const ours = await standIn(world)
  expect(theirs.pane.id).toBe(ours.pane.id)
  const at = ({ socket }: TmuxServer) => ({ TMUX: `${socket},0,0` })
  await world.run(['join', 'frontend', ours.pane.id, '--no-watch'], { env: at(world.server) })
  await world.run(['join', 'docs', theirs.pane.id, '--no-watch'], { env: at(other) })
  // Each watcher was started from the other server: what counts is where its session is.
  startCli(['watch', 'frontend'], { home: world.bus.home.root, env: at(other) })
  startCli(['watch', 'docs'], { home: world.bus.home.root, env: at(world.server) })
  send(world, 'backend', 'frontend')
  await until('our ring', () => ours.pieces().includes('\r'))
  send(world, 'frontend', 'docs')
  await until('their ring', () => theirs.pieces().includes('\r'))
  expect(ours.pieces()).toEqual([ONE, '\r'])
  expect(theirs.pieces()).toEqual(['New message from @frontend. Check inbox.', '\r'])
  expect(textOf(world.bus.home.sessions)).toContain(other.socket)
})

function runOptions(world: World, env: Record<string, string> = {}) {
  return { home: world.bus.home.root, env: { TMUX: `${world.server.socket},0,0`, ...env } }
}

/** Whether a process that stands still has been sent a SIGTERM. */
function isTold(pid: number): boolean {
  const [, pending = '0'] = /^ShdPnd:\s*([0-9a-f]+)$/m.exec(textOf(`/proc/${pid}/status`)) ?? []
  return (BigInt(`0x${pending}`) & (1n << 14n)) !== 0n
}
