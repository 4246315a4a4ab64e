import type { Bus } from '../../bus/bus.ts'
import { eventsFromEnd, isSent } from '../../bus/history.ts'
import { waiterOf } from '../../bus/index/asks.ts'
import type { Silent } from '../../bus/mail/draft.ts'
import type { Letter } from '../../bus/remote/outbox.ts'
import { type Received, receive } from '../../bus/remote/receive.ts'
import { hostOf } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { priorityOf } from '../../message/priority.ts'
import { progressIn } from '../../message/task.ts'
import { acknowledges } from '../../trust/sendGate/acknowledges.ts'
import { RECENT_MS } from '../../trust/sendGate/limits.ts'
import { judgeRing } from '../../trust/sendGate/rules.ts'
import { ONLY_PROGRESS, type PostPorts, tellOf } from '../post.ts'
import { reviveWatcher } from '../revive.ts'

/** So many messages of one machine ring within ten minutes; the others wait for the next look. */
export const MAX_FROM_HOST = 100

/** So far back the history is looked at for what a machine has sent before. */
const LAST_EVENTS = 2000

/**
 * Takes what another machine sends, as its only way in: judged here, whatever was judged there. The
 * transport proves `peer`. Gives what to answer; `receive()` of the bus throws where the message is
 * to come again.
 */
export function receiver(me: string, peer: string, ports: PostPorts): (letter: Letter) => Received {
  const bus = ports.bus()
  const times = recentTimes(bus, peer)
  return (letter) => {
    const now = bus.clock.now()
    while ((times[0] ?? now) < now - RECENT_MS) times.shift()
    const silence = (message: Message, answered: Message | undefined) =>
      silenceOf(bus, message, answered, letter, times.length >= MAX_FROM_HOST, peer)
    const received = receive(bus, letter, { me, peer, silence })
    if (received.is !== 'arrived') return received
    if (received.silent === undefined) times.push(now)
    void settle(received, ports)
    return received
  }
}

/** Tells those whom it may concern. The other machine need not wait for that. */
async function settle(
  { message, silent }: Extract<Received, { is: 'arrived' }>,
  ports: PostPorts,
): Promise<void> {
  try {
    // Whoever runs the link need not hear of each message that waits for the next look.
    const quiet = silent?.ring === 'quiet' ? silent.why : undefined
    await tellOf({ message, silent }, { answered: undefined, quiet }, ports)
    await reviveWatcher(ports)
  } catch (error) {
    ports.notice(error instanceof Error ? error.message : String(error))
  }
}

function silenceOf(
  bus: Bus,
  message: Message,
  answered: Message | undefined,
  { silent }: Letter,
  flood: boolean,
  peer: string,
): Silent | undefined {
  // Nobody reads the state of a task: there is nothing to hold.
  if (progressIn(message) !== undefined) return ONLY_PROGRESS
  const { to, hops, body } = message
  const asked = answered?.from === to && ['question', 'task'].includes(answered.kind)
  const thanks = !asked && acknowledges(body)
  const { ring, why } = judgeRing({ mode: 'enforce', hops, recent: 0, acknowledges: thanks })
  if (ring !== 'rings') return { ring, why }
  // The other machine may always ask for less noise.
  if (silent) return { ring: silent.ring, why: `${silent.why}, says ${peer}` }
  if (priorityOf(message) === 'quiet') return { ring: 'quiet', why: 'sent --quiet' }
  const waiter = answered?.from === to ? waiterOf(bus, answered.id, to) : undefined
  if (waiter) return { ring: 'awaited', why: 'its recipient is waiting for it', waiter }
  return flood
    ? { ring: 'quiet', why: `more than ${MAX_FROM_HOST} messages from ${peer} in 10 minutes` }
    : undefined
}

/** When the last messages of a machine rang, so that a new connection does not count from 0. */
function recentTimes({ home, clock }: Bus, peer: string): number[] {
  const times: number[] = []
  let looked = 0
  for (const event of eventsFromEnd(home)) {
    const at = Date.parse(event.at)
    looked += 1
    if (looked > LAST_EVENTS || at < clock.now() - RECENT_MS) break
    if (isSent(event) && hostOf(event.from) === peer && event.ring === undefined) times.push(at)
  }
  return times.reverse()
}
