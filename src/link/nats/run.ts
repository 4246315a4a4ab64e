import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { EVERY_MS, type Me, peers } from '../../bus/remote/peers.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { reasonOf } from '../../system/errno.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import { createWaker } from '../../system/waker.ts'
import { meOf } from '../meet.ts'
import { hearAnswers } from './answers.ts'
import { close, connectError, open } from './client.ts'
import { readTicket, type Ticket } from './files.ts'
import { type Bridge, type BridgePorts, startLane } from './lanes.ts'
import { namesOf } from './names.ts'
import { createPost } from './post.ts'
import { createPresence } from './presence.ts'
import { startService } from './service.ts'
import { takeAll } from './take.ts'

/** How long is waited after a fault: at first, and at most. In ms. */
const AGAIN_MS = 1000
const LONGEST_MS = 15_000

/**
 * Carries messages between this home and its team's server until it is stopped. A server that is
 * away is waited for. Throws `LOCKED` where another process is at it, and `PEER_REFUSES` where the
 * server does not take this machine.
 */
export async function runBridge(ports: BridgePorts): Promise<void> {
  const bus = ports.bus()
  const ticket = readTicket(bus.home)
  const me = meOf(bus, ticket.host, ticket.host)
  const lock = tryPidLock(bus.home.bridgeLock, bus.processes)
  if (typeof lock !== 'function')
    throw new CodedError('LOCKED', `the bridge runs already (process ${lock.pid})`, {
      hint: `see it with: agent-chat bridge status; end it with: kill ${lock.pid}`,
    })
  const waker = createWaker()
  const stop = { ped: false, now: () => {} }
  ports.onStop(() => {
    stop.ped = true
    stop.now()
    waker.wake()
  })
  let wait = AGAIN_MS
  try {
    while (!stop.ped) {
      try {
        const connection = await open(ticket)
        wait = AGAIN_MS
        ports.tell({ is: 'up', server: ticket.server })
        await serve(connection, ticket, me, ports, stop)
      } catch (error) {
        if (!isCoded(error, 'NOT_ARRIVED')) throw error
        ports.tell({ is: 'down', why: error.message })
      }
      if (!stop.ped) await waker.sleep(wait)
      wait = Math.min(wait * 2, LONGEST_MS)
    }
  } finally {
    lock()
  }
}

/** One connection, from its start to its end. */
async function serve(
  connection: NatsConnection,
  ticket: Ticket,
  me: Me,
  ports: BridgePorts,
  stop: { now: () => void },
): Promise<void> {
  const { team } = ticket
  const bus = ports.bus()
  const waker = createWaker()
  let ended: { error: unknown } | undefined
  const fail = (error: unknown) => {
    ended ??= { error }
    waker.wake()
  }
  const presence = createPresence({ me, version: ports.version }, ports)
  const post = createPost({
    ...{ connection, client: jetstream(connection), team, me: me.host, isHere: presence.isHere },
    ...{ now: () => bus.clock.now(), notice: ports.notice },
  })
  const wakes = [waker.wake]
  const over = () => ended !== undefined
  const bridge: Bridge = {
    ...{ ticket, me, ports, connection, post, presence },
    ...{ arrivals: new Map(), wakes, returns: [post.again], over, fail },
  }
  stop.now = () => fail(undefined)
  void connection.closed().then((why) => fail(connectError(ticket.server, why ?? 'it was closed')))
  void watchStatus(bridge)
  hearAnswers(bridge)
  startPresence(bridge)
  wakes.push(startService({ connection, me, version: ports.version }, ports))
  for (const { host, team: met } of peers(bus.home)) if (met === team) startLane(bridge, host)
  const taking = takeAll(bridge, waker)
  while (!over()) await waker.sleep(EVERY_MS)
  post.end('the bridge ended')
  for (const wake of wakes) wake()
  await close(connection)
  await taking
  if (ended?.error) throw ended.error
}

/** The library connects again by itself; who runs the bridge hears of it. */
async function watchStatus({ connection, ports, ticket, returns }: Bridge): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') ports.tell({ is: 'down', why: `${ticket.server} is away` })
    if (type === 'reconnect') {
      ports.tell({ is: 'up', server: ticket.server })
      for (const again of returns) again()
    }
  }
}

function startPresence(bridge: Bridge): void {
  const { connection, presence, ticket, me, over, fail, ports } = bridge
  const { presence: subject } = namesOf(ticket.team)
  const { clock } = ports.bus()
  const known = new Set<string>()
  let last = 0
  let timer: NodeJS.Timeout | undefined
  const beatIn = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(beat, ms)
  }
  const beat = () => {
    if (over()) return
    last = clock.now()
    if (!connection.isClosed()) connection.publish(subject(me.host), presence.tell())
    beatIn(presence.everyMs())
  }
  bridge.wakes.push(() => clearTimeout(timer))
  connection.subscribe(subject('*'), {
    callback: (error, message) => {
      if (over()) return
      if (error) return fail(error)
      try {
        const host = message.subject.split('.').at(-1) ?? ''
        if (!presence.onTold(host, message.data)) return
        startLane(bridge, host)
        // A machine that is new here is answered soon: it waits to hear who is there.
        if (!known.has(host)) beatIn(Math.max(0, last + presence.everyMs() / 5 - clock.now()))
        known.add(host)
      } catch (wrong) {
        ports.notice(reasonOf(wrong))
      }
    },
  })
  beat()
}
