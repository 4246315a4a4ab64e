import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { afterAll, expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { ensureHome, type Home, homeAt } from '../../src/bus/home.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { readMe } from '../../src/bus/remote/peers.ts'
import { invite } from '../../src/link/nats/admin.ts'
import { join as joinWith } from '../../src/link/nats/bridge.ts'
import { open } from '../../src/link/nats/client.ts'
import { certificateOf, readTeam, readTicket } from '../../src/link/nats/files.ts'
import type { Bridge } from '../../src/link/nats/lanes.ts'
import { namesOf } from '../../src/link/nats/names.ts'
import { createPost } from '../../src/link/nats/post.ts'
import { createPresence } from '../../src/link/nats/presence.ts'
import { startService } from '../../src/link/nats/service.ts'
import { takeAll } from '../../src/link/nats/take.ts'
import { systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { createWaker } from '../../src/system/waker.ts'
import { filesIn, register } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { bridgePage, usedBy } from './measure.ts'
import { makeTeam } from './nats.ts'

const HOSTS = Number(process.env.LINKS_HOSTS ?? 200)
const SESSIONS = ['backend', 'frontend', 'tests', 'docs', 'ops']

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('many machines', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-many-'))
  const team = await makeTeam(directory, { a: SESSIONS })
  const stops: (() => void)[] = []
  try {
    const { a } = team.homes
    if (a === undefined) throw new Error('no home')
    const admin = { home: a }
    const buses: Bus[] = []
    for (let n = 0; n < HOSTS; n += 1) {
      const home = homeAt(join(directory, `h${n}`))
      mkdirSync(home.root)
      ensureHome(home)
      register(home, ...SESSIONS)
      const bus = busOf(home)
      joinWith((await invite(`h${n}`, admin)).file, bus)
      buses.push(bus)
    }
    for (const bus of buses) await playHost(bus, stops)
    const bridge = team.bridge('a', 280_000)
    await until('a has heard of all', () => heardBy(a.remote) >= HOSTS, 200_000)
    const began = performance.now()
    for (let n = 0; n < HOSTS; n += 1)
      sendMessage(busOf(a), { from: 'backend', to: `frontend.h${n}`, kind: 'note', body: 'hello' })
    await until(
      'each has its message',
      () => buses.every(({ home }) => filesIn(home.inbox('frontend')).length === 1),
      200_000,
    )
    const took = performance.now() - began
    const [server, own] = [usedBy(team.pid()), usedBy(bridge.pid ?? 0)]
    await pause(20_000)
    const share = (one: { seconds: number }, pid: number) =>
      `${(((usedBy(pid).seconds - one.seconds) / 20) * 100).toFixed(1)} % of a core`
    const { megabytes } = usedBy(team.pid())
    const consumers = await consumersOf(a)
    const bridgeNow = usedBy(bridge.pid ?? 0).megabytes
    bridgePage.figure(
      `the server of ${HOSTS} machines with ${SESSIONS.length} sessions each`,
      `${Math.round(megabytes)} MB, ${consumers} consumers, idle ${share(server, team.pid())}`,
    )
    bridgePage.figure(
      `the bridge of one of ${HOSTS} machines`,
      `${Math.round(bridgeNow)} MB, idle ${share(own, bridge.pid ?? 0)}`,
    )
    bridgePage.figure(
      `a message to each of ${HOSTS} machines`,
      `all there in ${(took / 1000).toFixed(1)} s`,
    )
    expect(megabytes).toBeLessThanOrEqual(64)
    expect(consumers).toBe(HOSTS + 1)
  } finally {
    for (const stop of stops) stop()
    await team.stop()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}, 600_000)

function busOf(home: Home): Bus {
  return { home, clock: systemClock(), processes: systemProcesses() }
}

/** All that a bridge does on the server, without the lanes to 200 others: those are in a's. */
async function playHost(bus: Bus, stops: (() => void)[]): Promise<void> {
  const ticket = readTicket(bus.home)
  const me = readMe(bus.home)
  if (me === undefined) throw new Error('it has no name')
  const ports = {
    ...{ env: {}, self: { node: '', script: '', root: '' }, version: '1.0.0' },
    ...{ bus: () => bus, notice: () => {}, tell: () => {}, onStop: () => {} },
  }
  const connection = await open(ticket)
  const presence = createPresence({ me, version: '1.0.0' }, ports)
  const subject = namesOf(ticket.team).presence
  const waker = createWaker()
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const beat = () => {
    if (!connection.isClosed()) connection.publish(subject(me.host), presence.tell())
    timer = setTimeout(beat, presence.everyMs())
  }
  connection.subscribe(subject('*'), {
    callback: (_, { subject: told, data }) => {
      // One of them listens to all; in one process, all to all would measure that process.
      if (told === subject('a') || me.host === 'h0')
        presence.onTold(told.split('.').at(-1) ?? '', data)
    },
  })
  beat()
  const post = createPost({
    ...{ connection, client: jetstream(connection), team: ticket.team, me: me.host },
    ...{ isHere: presence.isHere, now: () => Date.now(), notice: () => {} },
  })
  const wakes = [startService({ connection, me, version: '1.0.0' }, ports)]
  const bridge: Bridge = {
    ...{ ticket, me, ports, connection, post, presence, arrivals: new Map(), wakes },
    ...{ over: () => ended, fail: () => {} },
  }
  void takeAll(bridge, waker)
  stops.push(() => {
    ended = true
    clearTimeout(timer)
    for (const wake of wakes) wake()
    void connection.close()
  })
}

/** How many machines this home has heard of. */
function heardBy(remote: string): number {
  return readdirSync(remote).filter((host) => filesIn(join(remote, host)).includes('seen.json'))
    .length
}

async function consumersOf(home: Bus['home']): Promise<number> {
  const connection = await open({ ...readTeam(home), ca: certificateOf(home) })
  const { streams } = await jetstreamManager(connection, { checkAPI: false })
  const { state } = await streams.info('AC_CREW')
  await connection.close()
  return state.consumer_count
}

afterAll(() => {
  process.stdout.write(bridgePage.text())
})
