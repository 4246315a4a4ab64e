import type { Bus } from '../bus/bus.ts'
import { letterFor, noteArrived, noteRefused } from '../bus/remote/outbox.ts'
import { queuedIds } from '../bus/remote/peers.ts'
import { receiptsFor } from '../bus/remote/receipts.ts'
import { faultPoint } from '../system/fault.ts'
import { makeDirectory } from '../system/files.ts'
import { hintOnChanges } from '../system/hints.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { createWaker } from '../system/waker.ts'
import type { Transport } from './transport.ts'

/**
 * How a lane is told to end, how often it looks without an event, and who hears that all is
 * delivered.
 */
export type LaneEnd = {
  ended: () => boolean
  lookMs: () => number
  onEnd: (wake: () => void) => void
  onIdle: () => void
}

/** Where events are missed, the queue and the history of one link are looked at this often. In ms. */
export const LOOK_MS = 2000

/** A large queue is not listed again within this. In milliseconds. */
const LIST_MS = 1000
const LARGE = 1000

/** The other machine asked to wait, or another process has the lane. In milliseconds. */
const WAIT_MS = 1000

/** Receipts wait for each other this long, so that a stream of reads is told in few frames. */
const RECEIPTS_MS = 200

/**
 * Delivers what is queued for one machine, in the order of ids, one letter at a time: a letter that
 * cannot be delivered now holds up those behind it, and none is skipped. Returns when it is told to
 * end; throws what the transport rejects with. One process at a time has the lane.
 */
export async function runLane(
  bus: Bus,
  { me, host }: { me: string; host: string },
  transport: Transport,
  { ended, lookMs, onEnd, onIdle }: LaneEnd,
  notice: (text: string) => void,
): Promise<void> {
  const { home, clock } = bus
  makeDirectory(home.out(host))
  const waker = createWaker()
  onEnd(waker.wake)
  const stopHints = hintOnChanges([{ directory: home.out(host) }], waker.wake)
  let release: (() => void) | undefined
  let listed = { at: Number.NEGATIVE_INFINITY, count: 0 }
  try {
    while (!ended()) {
      release ??= takeLane(bus, host)
      const wait = listed.count > LARGE ? listed.at + LIST_MS - clock.now() : 0
      if (release && wait <= 0) {
        const ids = queuedIds(home, host)
        listed = { at: clock.now(), count: ids.length }
        if (!(await deliverAll(bus, { me, host }, ids, transport, ended, notice))) {
          await waker.sleep(WAIT_MS)
          continue
        }
        if (ids.length > 0) continue
        onIdle()
      } else if (!release && queuedIds(home, host).length === 0) onIdle()
      await waker.sleep(wait > 0 ? wait : release ? lookMs() : WAIT_MS)
    }
  } finally {
    stopHints()
    release?.()
  }
}

/** Tells what became of messages from that machine, as the history grows. */
export async function runReceipts(
  bus: Bus,
  { me, host }: { me: string; host: string },
  { tell }: Transport,
  { ended, lookMs, onEnd, onIdle }: LaneEnd,
): Promise<void> {
  const { home } = bus
  const waker = createWaker()
  onEnd(waker.wake)
  const isOf = (file: string) => file === 'history.log'
  const stopHints = hintOnChanges([{ directory: home.root, isOf }], waker.wake)
  const due = receiptsFor(home, host, me)
  try {
    while (!ended()) {
      const { receipts, more, told } = due()
      if (receipts.length > 0) await tell(receipts)
      told()
      if (more) {
        // A long history is read by pieces, and frames pass between them.
        await new Promise(setImmediate)
        continue
      }
      onIdle()
      await new Promise((resolve) => setTimeout(resolve, RECEIPTS_MS).unref())
      if (!ended()) await waker.sleep(lookMs())
    }
  } finally {
    stopHints()
  }
}

function takeLane({ home, processes }: Bus, host: string): (() => void) | undefined {
  const lock = tryPidLock(home.laneLock(host), processes)
  return typeof lock === 'function' ? lock : undefined
}

/** False where the other machine asked to wait. */
async function deliverAll(
  bus: Bus,
  { me, host }: { me: string; host: string },
  ids: readonly string[],
  { deliver }: Transport,
  ended: () => boolean,
  notice: (text: string) => void,
): Promise<boolean> {
  for (const id of ids) {
    if (ended()) return true
    const letter = letterFor(bus, host, me, id)
    if (letter === undefined) continue
    const answer =
      typeof letter === 'string' ? { is: 'refused' as const, why: letter } : await deliver(letter)
    faultPoint('lane:answered')
    if (answer.is === 'wait') {
      notice(`${host} asks to wait: ${answer.why}`)
      return false
    }
    if (answer.is === 'arrived') {
      const unnoted = noteArrived(bus, host, id)
      if (unnoted) notice(`a message arrived at ${host}, and the history lacks that: ${unnoted}`)
    } else {
      noteRefused(bus, host, id, answer.why)
      notice(`${host} refused a message: ${answer.why}`)
    }
    faultPoint('lane:noted')
  }
  return true
}
