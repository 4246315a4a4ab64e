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
import { hearAnswers } from '../../src/link/nats/answers.ts'
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
/** As often as each of so many machines tells of itself. */
const EVERY_MS = Math.max(5000, HOSTS * 250)
const MEASURE_MS = 30_000

const SESSIONS = ['backend', 'frontend', 'tests', 'docs', 'ops']

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('many machines', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-many-'))
  const team = await makeTeam(directory, { a: SESSIONS, b: SESSIONS })
  const stops: (() => void)[] = []
  try {
    const { a } = team.homes
    if (a === undefined) throw new Error('no home')
    const buses = await invited(directory, a)
    for (const bus of buses) await playHost(bus, stops)
    const bridges = ['a', 'b'].map((host) => team.bridge(host, 480_000))
    await until('a has heard of all', () => heardBy(a.remote) >= HOSTS - 1, 200_000)
    const took = await writeToAll(a, buses)
    // What is new is told of sooner, and that is over then.
    await pause(EVERY_MS)
    const pids = { server: team.pid(), bridge: bridges[0]?.pid ?? 0 }
    const before = { server: usedBy(pids.server), bridge: usedBy(pids.bridge) }
    await pause(MEASURE_MS)
    const share = (what: 'server' | 'bridge') => {
      const seconds = usedBy(pids[what]).seconds - before[what].seconds
      return `idle ${((seconds / MEASURE_MS) * 100_000).toFixed(1)} % of a core`
    }
    const server = usedBy(pids.server)
    const consumers = await consumersOf(a)
    bridgePage.figure(
      `the server of ${HOSTS} machines with ${SESSIONS.length} sessions each`,
      `${Math.round(server.megabytes)} MB, ${consumers} consumers, ${share('server')}`,
    )
    bridgePage.figure(
      `the bridge of one of ${HOSTS} machines`,
      `${Math.round(usedBy(pids.bridge).megabytes)} MB, ${share('bridge')}`,
    )
    bridgePage.figure(
      `a message to each of ${HOSTS} machines`,
      `all there in ${(took / 1000).toFixed(1)} s`,
    )
    expect(server.megabytes).toBeLessThanOrEqual(64)
    expect(consumers).toBe(HOSTS)
  } finally {
    for (const stop of stops) stop()
    await team.stop()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}, 600_000)

/** All machines but a and b, which have real bridges: the others are in this process. */
async function invited(directory: string, admin: Home): Promise<Bus[]> {
  const buses: Bus[] = []
  for (let n = 2; n < HOSTS; n += 1) {
    const home = homeAt(join(directory, `h${n}`))
    mkdirSync(home.root)
    ensureHome(home)
    register(home, ...SESSIONS)
    const bus = busOf(home)
    joinWith((await invite(`h${n}`, busOf(admin))).file, bus)
    buses.push(bus)
  }
  return buses
}

/** Gives how long it took, in milliseconds. */
async function writeToAll(from: Home, buses: Bus[]): Promise<number> {
  const began = performance.now()
  for (const { home } of buses) {
    const to = `frontend.${readMe(home)?.host}`
    sendMessage(busOf(from), { from: 'backend', to, kind: 'note', body: 'hello' })
  }
  const hasIt = ({ home }: Bus) => filesIn(home.inbox('frontend')).length === 1
  await until('each has its message', () => buses.every(hasIt), 200_000)
  return performance.now() - began
}

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
  // The server reads its users again a moment after the last invitation.
  const connection = await until(
    'the server knows it',
    () => open(ticket).catch(() => undefined),
    20_000,
  )
  const presence = createPresence({ me, version: '1.0.0' }, ports)
  const subject = namesOf(ticket.team).presence
  const waker = createWaker()
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const beat = () => {
    // It has heard of few, and tells as often as one that has heard of all.
    const told = { ...JSON.parse(presence.tell()), every: EVERY_MS }
    if (!connection.isClosed()) connection.publish(subject(me.host), JSON.stringify(told))
    timer = setTimeout(beat, EVERY_MS)
  }
  connection.subscribe(subject('*'), {
    callback: (_, { subject: told, data }) => {
      // One of them listens to all; in one process, all to all would measure that process.
      if (told === subject('a') || me.host === 'h2')
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
    ...{ ticket, me, ports, connection, post, presence, arrivals: new Map(), wakes, returns: [] },
    ...{ over: () => ended, fail: () => {} },
  }
  hearAnswers(bridge)
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
