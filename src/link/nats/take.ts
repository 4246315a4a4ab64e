import { type Consumer, type JsMsg, jetstream } from '@nats-io/jetstream'
import { keepPoison } from '../../bus/remote/poison.ts'
import { reasonOf } from '../../system/errno.ts'
import type { Waker } from '../../system/waker.ts'
import { parseFrame } from '../frames.ts'
import { type Bridge, startLane } from './lanes.ts'
import { ackSubject, namesOf, senderOf } from './names.ts'
import { ACK_WAIT_MS } from './server.ts'

/**
 * How long one request for the next message waits, and how long is waited after a fault. In ms.
 * The first request to a server that was away ends when it has given again what it waits for.
 */
const PULL_MS = 10_000
const FIRST_PULL_MS = ACK_WAIT_MS + 1000
const AGAIN_MS = 1000

/** Takes what comes, one after the other: the server gives the next when this one is done. */
export async function takeAll(bridge: Bridge, waker: Waker): Promise<void> {
  const { connection, ticket, me, over, ports, returns } = bridge
  const { stream } = namesOf(ticket.team)
  const asked: Asked = { stop: () => {} }
  returns.push(() => asked.stop())
  let said = ''
  while (!over()) {
    try {
      const consumer = await jetstream(connection).consumers.get(stream, me.host)
      let end: End = 'nothing'
      while (!over()) {
        end = await takeNext(bridge, consumer, asked, end === 'cut' ? FIRST_PULL_MS : PULL_MS)
        if (end === 'nothing') await release(bridge, consumer)
        said = ''
      }
    } catch (error) {
      if (over()) return
      const why = reasonOf(error)
      const hint = /not found/i.test(why)
        ? '; its admin repairs it with: agent-chat bridge init'
        : ''
      if (why !== said) ports.notice(`the server gives nothing: ${why}${hint}`)
      said = why
      await waker.sleep(AGAIN_MS)
    }
  }
}

/** Ends the request that is open: a server that was killed has forgotten it. */
type Asked = { stop: () => void }

/** How a request ended. `nothing`: the server had all the time, and gave nothing. */
type End = 'taken' | 'nothing' | 'cut'

async function takeNext(
  bridge: Bridge,
  consumer: Consumer,
  asked: Asked,
  expires: number,
): Promise<End> {
  const messages = await consumer.fetch({ max_messages: 1, expires })
  let end: End = 'nothing'
  asked.stop = () => {
    if (end === 'nothing') end = 'cut'
    messages.stop()
  }
  // The library waits for good for a server that says nothing of the end.
  const late = setTimeout(() => messages.stop(), expires + AGAIN_MS)
  try {
    for await (const message of messages) {
      end = 'taken'
      await takeOne(bridge, message)
    }
    return end
  } finally {
    clearTimeout(late)
  }
}

/** The most that is acknowledged at once. */
const MOST_RELEASED = 1000

/**
 * A server that was killed may wait for good for the acknowledgement of a message that it has no
 * more, and gives no other meanwhile (seen with 2.9.10). Nothing is in this machine's hands here, so
 * it says that all is done. Whatever the server still had of that comes again: its sender waits for
 * an answer.
 */
async function release({ connection, ticket, me }: Bridge, consumer: Consumer): Promise<void> {
  const { num_ack_pending: held, ack_floor: floor, delivered } = await consumer.info()
  if (held === 0) return
  const last = delivered.stream_seq
  for (let n = Math.max(floor.stream_seq + 1, last - MOST_RELEASED); n <= last; n += 1)
    connection.publish(ackSubject(ticket.team, me.host, n, delivered.consumer_seq), '+ACK')
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
    if (frame?.f === 'msg') {
      const refused = { is: 'refused' as const, why: `${from} was unlinked there` }
      post.answer(from, frame.n, arrivals?.take(frame.letter) ?? refused)
    }
    if (frame?.f === 'rcpt') {
      arrivals?.told(frame.receipts)
      post.answer(from, frame.n, { is: 'arrived' })
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
