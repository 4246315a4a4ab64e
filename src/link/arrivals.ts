import type { Bus } from '../bus/bus.ts'
import { EVERY_MS, readSeen, type Seen, touchSeen, writeSeen } from '../bus/remote/peers.ts'
import { noteReceipts } from '../bus/remote/receipts.ts'
import type { PostPorts } from '../chat/post.ts'
import { receiver } from '../chat/remote/receive.ts'
import type { Arrivals } from './transport.ts'

/** What is done here with what comes from a machine, over any transport. */
export function arrivalsFrom(host: string, me: string, ports: PostPorts): Arrivals {
  const take = receiver(me, host, ports)
  return {
    take: (letter) => {
      const received = take(letter)
      if (received.is === 'bad')
        ports.notice(`kept aside a bad message from ${host}: ${received.why}`)
      return 'why' in received ? { is: 'refused', why: received.why } : { is: 'arrived' }
    },
    told: (receipts) => noteReceipts(ports.bus(), host, me, receipts),
  }
}

/** Notes what a machine has just told of itself. */
export function noteSeen(
  { home }: Pick<Bus, 'home'>,
  host: string,
  fresh: Partial<Omit<Seen, 'at'>>,
): void {
  const { at: _, ...before } = readSeen(home, host) ?? {
    ...{ at: 0, version: '', sessions: [], skewMs: 0, roundTripMs: 0, everyMs: EVERY_MS },
  }
  writeSeen(home, host, { ...before, ...fresh })
}

/** Notes an answered ping: sent at `sent`, answered at `there` by the other clock. */
export function notePong({ home, clock }: Bus, host: string, sent: number, there: number): void {
  const now = clock.now()
  const roundTripMs = Math.max(0, now - sent)
  const skewMs = Math.round(there - (sent + now) / 2)
  const seen = readSeen(home, host)
  if (seen && Math.abs(seen.skewMs - skewMs) < 1000 && seen.roundTripMs > 0)
    touchSeen(home, host, now)
  else noteSeen({ home }, host, { skewMs, roundTripMs: Math.max(1, roundTripMs) })
}
