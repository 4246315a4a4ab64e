import { hintOnChanges, type Place } from '../system/hints.ts'
import { createWaker } from '../system/waker.ts'
import type { Stop } from './worker.ts'

/** How long a turn may go on once the worker is to end, and then its end may take. In milliseconds. */
const DRAIN_MS = 10_000
const CUT_MS = 2000

type StopPorts = { onStop: (callback: (signal: NodeJS.Signals) => void) => void }

/** What is done to the turn that is under way. */
export type Cutter = { draining: () => void; interrupt: () => void; kill: () => void }

/**
 * How a worker is ended: at the first signal after its turn, which is interrupted after 10 s and
 * then killed; at a second one, or Ctrl-C, at once. Its sleeps end with that, and with any change in
 * these places.
 */
export function stopFrom(
  ports: StopPorts,
  places: Place[],
  cutter: Cutter,
): { stop: Stop; close: () => void } {
  const waker = createWaker()
  const close = hintOnChanges(places, waker.wake)
  const timers: NodeJS.Timeout[] = []
  const stop: Stop = {
    asked: 'no',
    sleep: async (ms) => {
      if (stop.asked === 'no') await waker.sleep(ms)
    },
  }
  ports.onStop((signal) => {
    if (stop.asked === 'no' && signal !== 'SIGINT') {
      stop.asked = 'drain'
      cutter.draining()
      timers.push(
        setTimeout(cutter.interrupt, DRAIN_MS),
        setTimeout(cutter.kill, DRAIN_MS + CUT_MS),
      )
    } else if (stop.asked !== 'now') {
      stop.asked = 'now'
      cutter.kill()
    }
    waker.wake()
  })
  return {
    stop,
    close: () => {
      close()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
