import { type ConsumerMessages, type JsMsg, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type Me, peers, readPeer, writePeer } from '../../bus/remote/peers.ts'
import { keepPoison } from '../../bus/remote/poison.ts'
import type { Ports } from '../../chat/ports.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { isoTime } from '../../message/time.ts'
import { reasonOf } from '../../system/errno.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import { createWaker, type Waker } from '../../system/waker.ts'
import { arrivalsFrom } from '../arrivals.ts'
import { parseFrame } from '../frames.ts'
import { runLane, runReceipts } from '../lane.ts'
import { meOf } from '../meet.ts'
import type { Arrivals } from '../transport.ts'
import { close, connectError, open } from './client.ts'
import { readTicket, type Ticket } from './files.ts'
import { namesOf, senderOf } from './names.ts'
import { createPost, type Post } from './post.ts'
import { BEAT_MS, createPresence, type Presence } from './presence.ts'

/** What is told of a bridge while it runs. */
export type BridgeNews = { is: 'up'; server: string } | { is: 'down'; why: string }

export type BridgePorts = Pick<Ports, 'env' | 'bus' | 'notice' | 'self' | 'onStop'> & {
  version: string
  tell: (news: BridgeNews) => void
}

/** How long one request for the next message waits, and how long is waited after a fault. In ms. */
const PULL_MS = 2000
const AGAIN_MS = 1000
const LONGEST_MS = 15_000

type Bridge = {
  ticket: Ticket
  me: Me
  ports: BridgePorts
  connection: NatsConnection
  post: Post
  presence: Presence
  arrivals: Map<string, Arrivals>
  wakes: (() => void)[]
  over: () => boolean
  fail: (error: unknown) => void
}

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
    ...{ arrivals: new Map(), wakes, over, fail },
  }
  stop.now = () => fail(undefined)
  void connection.closed().then((why) => fail(connectError(ticket.server, why ?? 'it was closed')))
  void watchStatus(bridge)
  startPresence(bridge)
  for (const { host, team: met } of peers(bus.home)) if (met === team) startLane(bridge, host)
  const taking = takeAll(bridge, waker)
  while (!over()) await waker.sleep(BEAT_MS)
  post.end('the bridge ended')
  for (const wake of wakes) wake()
  await close(connection)
  await taking
  if (ended?.error) throw ended.error
}

/** The library connects again by itself; who runs the bridge hears of it. */
async function watchStatus({ connection, ports, ticket }: Bridge): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') ports.tell({ is: 'down', why: `${ticket.server} is away` })
    if (type === 'reconnect') ports.tell({ is: 'up', server: ticket.server })
  }
}

function startPresence(bridge: Bridge): void {
  const { connection, presence, ticket, me, over, fail } = bridge
  const { presence: subject } = namesOf(ticket.team)
  const known = new Set<string>()
  const beat = () => {
    if (!over() && !connection.isClosed()) connection.publish(subject(me.host), presence.tell())
  }
  const timer = setInterval(beat, BEAT_MS)
  bridge.wakes.push(() => clearInterval(timer))
  connection.subscribe(subject('*'), {
    callback: (error, message) => {
      if (over()) return
      if (error) return fail(error)
      try {
        const host = message.subject.split('.').at(-1) ?? ''
        if (!presence.onTold(host, message.data)) return
        startLane(bridge, host)
        // A machine that is new here is answered at once: it waits to hear who is there.
        if (!known.has(host)) beat()
        known.add(host)
      } catch (wrong) {
        bridge.ports.notice(reasonOf(wrong))
      }
    },
  })
  beat()
}

/** The way to one machine, and what is done with what comes from it; undefined: unlinked here. */
function startLane(bridge: Bridge, host: string): Arrivals | undefined {
  const { ports, me, ticket, arrivals, post, wakes, over, fail } = bridge
  const bus = ports.bus()
  const peer = readPeer(bus.home, host)
  if (peer?.unlinked) return undefined
  const begun = arrivals.get(host)
  if (begun) return begun
  if (peer?.team !== ticket.team)
    writePeer(bus, { created: isoTime(bus.clock.now()), ...peer, host, team: ticket.team })
  const made = arrivalsFrom(host, me.host, ports)
  arrivals.set(host, made)
  const pair = { me: me.host, host }
  const end = { ended: over, onEnd: (wake: () => void) => wakes.push(wake), onIdle: () => {} }
  const failed = (error: unknown) => {
    if (!over()) fail(error)
  }
  runLane(bus, pair, post.to(host), end, ports.notice).catch(failed)
  runReceipts(bus, pair, post.to(host), end).catch(failed)
  return made
}

/** Takes what comes, one after the other: the server gives the next when this one is done. */
async function takeAll(bridge: Bridge, waker: Waker): Promise<void> {
  const { connection, ticket, me, over, ports } = bridge
  const { stream } = namesOf(ticket.team)
  let said = ''
  while (!over()) {
    let messages: ConsumerMessages | undefined
    try {
      const consumer = await jetstream(connection).consumers.get(stream, me.host)
      while (!over()) {
        messages = await consumer.fetch({ max_messages: 1, expires: PULL_MS })
        // A server that was killed forgot the request, and the library waits for it for good.
        const late = setTimeout(() => messages?.stop(), PULL_MS + AGAIN_MS)
        try {
          for await (const message of messages) await takeOne(bridge, message)
        } finally {
          clearTimeout(late)
        }
        said = ''
      }
    } catch (error) {
      if (over()) return
      const why = reasonOf(error)
      const hint = /not found/i.test(why) ? '; its admin mends it with: agent-chat bridge init' : ''
      if (why !== said) ports.notice(`the server gives nothing: ${why}${hint}`)
      said = why
      await waker.sleep(AGAIN_MS)
    }
  }
}

async function takeOne(bridge: Bridge, message: JsMsg): Promise<void> {
  const { ports, post } = bridge
  const from = senderOf(message.subject)
  const bus = ports.bus()
  let frame: ReturnType<typeof parseFrame>
  try {
    frame = parseFrame(Buffer.from(message.data))
  } catch (error) {
    keepPoison(bus, from, { id: '', text: message.string() }, reasonOf(error))
  }
  try {
    const arrivals = startLane(bridge, from)
    if (frame?.f === 'ans') {
      post.onAnswer(from, frame.n, frame.answer)
      // The lane notes it before the server forgets it.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (frame?.f === 'msg') {
      const refused = { is: 'refused' as const, why: `${from} was unlinked there` }
      await post.answer(from, frame.n, arrivals?.take(frame.letter) ?? refused)
    }
    if (frame?.f === 'rcpt') {
      arrivals?.told(frame.receipts)
      await post.answer(from, frame.n, { is: 'arrived' })
    }
  } catch (error) {
    if (bridge.over()) return
    // A fault of this machine: the message comes again, and those behind it wait.
    ports.notice(`a message from ${from} waits: ${reasonOf(error)}`)
    message.nak(AGAIN_MS)
    return
  }
  message.ack()
}
