import { spawn } from 'node:child_process'
import { cpSync, existsSync, renameSync, utimesSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { homeWatcher } from '../../src/session/watcher.ts'
import { readPidFile } from '../../src/system/pidFile.ts'
import { cleanEnv, DIST, outcome, runCli, runHookProcess } from '../../src/testing/cli.ts'
import { eventsOf, filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { nodesOf } from './nodes.ts'
import {
  ended,
  joinPane,
  type StandIn,
  send,
  serverForTest,
  standIn,
  tmuxWorld,
  type World,
  waits,
  watching,
} from './world.ts'

const ONE = 'New message from @backend. Check inbox.'
const SESSIONS = Array.from({ length: 10 }, (_, at) => `agent-${at}`)

/** A home with ten sessions, each in a pane of its own. */
async function ten(): Promise<{ world: World; agents: Map<string, StandIn> }> {
  const world = await tmuxWorld()
  const agents = new Map<string, StandIn>()
  for (const name of SESSIONS) {
    const agent = await standIn(world)
    await joinPane(world, name, agent.pane)
    agents.set(name, agent)
  }
  return { world, agents }
}

const rung = (agent: StandIn) => until('the ring', () => agent.pieces().join('') === `${ONE}\r`)

describe('ten sessions', () => {
  test('have one watcher, which is no Node while nothing is left to be rung for; killed, it is back with the next send by anybody', async () => {
    const { world, agents } = await ten()
    const watcher = homeWatcher(world.bus)
    expect(watcher).toBeDefined()
    expect(filesIn(world.bus.home.pids).filter((file) => file.endsWith('.pid'))).toContain(
      '@watcher.pid',
    )
    await until('rest', () => nodesOf(world).length === 0)
    expect(homeWatcher(world.bus)).toEqual(watcher)

    process.kill(watcher?.pid ?? Number.NaN, 'SIGKILL')
    await until('its end', () => homeWatcher(world.bus) === undefined)
    const said = await Promise.all(
      SESSIONS.slice(1).map((name) => world.run(['send', `@${name}`, '--as', 'backend', 'ready'])),
    )
    const stderr =
      'agent-chat: @backend is not registered: its inbox keeps answers until @backend joins\n'
    for (const run of said) expect(run).toMatchObject({ code: 0, stderr })
    for (const name of SESSIONS.slice(1)) await rung(agents.get(name) as StandIn)
    await until('the notes of the rings', () => eventsOf(world.bus.home, 'rung').length === 9)
    expect(homeWatcher(world.bus)).not.toEqual(watcher)
    expect(agents.get('agent-0')?.pieces()).toEqual([])
  }, 120_000)
})

test('a tmux server that hangs keeps only its own session waiting', async () => {
  const world = await tmuxWorld()
  const other = await serverForTest()
  const stuck = await standIn(world, { server: other })
  const well = await standIn(world)
  const at = { env: { TMUX: `${other.socket},0,0` } }
  expect((await world.run(['join', 'stuck', stuck.pane.id], at)).code).toBe(0)
  await joinPane(world, 'well', well.pane)
  const server = Number(await other.tmux('display-message', '-p', '#{pid}'))
  process.kill(server, 'SIGSTOP')
  onTestFinished(() => void process.kill(server, 'SIGCONT'))
  send(world, 'backend', 'stuck')
  send(world, 'backend', 'well')
  await rung(well)
  await waits(world, 'stuck', /does not answer/)
  expect(findSession(readSessions(world.bus.home), 'stuck')).toBeDefined()
  process.kill(server, 'SIGCONT')
  await rung(stuck)
})

test('a home whose sessions need no watcher gets none', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  await world.run(['join', 'frontend', agent.pane.id, '--doorbell', 'native'])
  await world.run(['join', 'other', '--doorbell', 'stdout'])
  const run = await runCli(['send', '@frontend', '--as', 'backend', 'x'], {
    home: world.bus.home.root,
  })
  expect(run.code).toBe(0)
  await world.run(['who'])
  expect(filesIn(world.bus.home.pids)).toEqual([])
})

test('a watcher that does not stay is started three times, and then left alone for a while', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  await joinPane(world, 'frontend', agent.pane)
  const seen = new Set<number>()
  const who = () => {
    // As if this machine were fast: the last start was just now.
    const now = new Date()
    utimesSync(world.bus.home.watcherPid, now, now)
    return world.run(['who'])
  }
  for (let times = 0; times < 6; times += 1) {
    const watcher = homeWatcher(world.bus)
    if (watcher) {
      seen.add(watcher.pid)
      process.kill(watcher.pid, 'SIGKILL')
      await ended(world, watcher)
    }
    await who()
  }
  expect(seen.size).toBe(3)
  expect(readPidFile(world.bus.home.watcherPid)).toBeDefined()
  expect((await who()).stdout).toContain('no watcher')
})

test('a watcher whose program was moved away is replaced by the next send', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  const plugin = `${world.directory}/plugin`
  cpSync(DIST, `${plugin}/dist`, { recursive: true })
  const main = `${plugin}/dist/main.js`
  const env = { TMUX: `${world.server.socket},0,0` }
  const join = spawn(RUNTIME, [main, 'join', 'frontend', agent.pane.id], {
    env: cleanEnv({ home: world.bus.home.root, env }),
  })
  expect(await outcome(join)).toMatchObject({ code: 0, stderr: '' })
  const watcher = await watching(world, 'frontend')
  const { home } = world.bus
  await until('rest', () => nodesOf(world).length === 0 && existsSync(home.watcherRest))
  renameSync(plugin, `${plugin}-moved`)
  // It is still there when the send looks: it ends once it has found that it cannot start anything.
  process.kill(watcher.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(watcher.pid, 'SIGKILL'))
  expect(await world.run(['send', '@frontend', '--as', 'backend', 'ready'])).toMatchObject({
    code: 0,
  })
  await rung(agent)
  expect(homeWatcher(world.bus)).not.toEqual(watcher)
})

test('the end of a turn brings a killed watcher back', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  const watcher = await joinPane(world, 'frontend', agent.pane)
  process.kill(watcher.pid, 'SIGKILL')
  await until('its end', () => homeWatcher(world.bus) === undefined)
  const { agent: ref } = findSession(readSessions(world.bus.home), 'frontend') ?? {}
  const env = { AGENT_CHAT_NAME: 'frontend', CLAUDE_PID: String(ref?.pid) }
  const payload = { hook_event_name: 'Stop' }
  expect((await runHookProcess('stop', payload, { home: world.bus.home.root, env })).code).toBe(0)
  expect(homeWatcher(world.bus)).toBeDefined()
})
