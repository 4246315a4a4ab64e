import { hintOnChanges } from './hints.ts'
import { timeLeft } from './timeLeft.ts'
import { createWaker } from './waker.ts'

/** The backup of file events. In milliseconds. */
const LOOK_MS = 200

/** Looks whenever something in the directory changes; undefined where nothing came in time. */
export async function untilChanged<T>(
  directory: string,
  ms: number,
  look: () => T | undefined,
): Promise<T | undefined> {
  const waker = createWaker()
  const close = hintOnChanges([{ directory }], waker.wake)
  try {
    for (const left = timeLeft(ms); left() > 0; ) {
      const found = look()
      if (found !== undefined) return found
      await waker.sleep(LOOK_MS)
    }
    return look()
  } finally {
    close()
  }
}
