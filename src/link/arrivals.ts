import type { Bus } from '../bus/bus.ts'
import {
  EVERY_MS,
  type Me,
  readMe,
  readSeen,
  type Seen,
  touchSeen,
  writeSeen,
} from '../bus/remote/peers.ts'
import { noteReceipts } from '../bus/remote/receipts.ts'
import type { PostPorts } from '../chat/post.ts'
import { receiver } from '../chat/remote/receive.ts'
import { unless } from '../system/errno.ts'
import type { Arrivals } from './transport.ts'

/**
 * What is done here with what comes from a machine, over any transport. `me`: the home as it was
 * when the two met, which may have been replaced since.
 */
export function arrivalsFrom(host: string, { host: me, id }: Me, ports: PostPorts): Arrivals {
  const take = receiver(me, host, ports)
  const { home } = ports.bus()
  return {
    take: (letter) => {
      // In a home that was removed or made again nobody is known: that is no reason to refuse.
      if (readMe(home)?.id !== id)
        throw new Error(`the home of ${me} is not the one that was linked`)
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

/** Notes that the way to a machine has ended; when it was last seen stays. */
export function noteAway({ home }: Pick<Bus, 'home'>, host: string): void {
  const { at, ...seen } = readSeen(home, host) ?? { at: 0, roundTripMs: 0 }
  if (seen.roundTripMs === 0) return
  // It is a note for whoever looks, and no reason to fail: without it, that takes 16 s to show.
  unless(['ENOENT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'], () => {
    noteSeen({ home }, host, { roundTripMs: 0 })
    touchSeen(home, host, at)
  })
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
