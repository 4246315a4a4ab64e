import { timeLeft } from './timeLeft.ts'

/** Sleeps that an event cuts short. An event before the sleep counts: nothing is slept through. */
export type Waker = { wake(): void; sleep(ms: number): Promise<'woken' | 'slept'> }

export function createWaker(): Waker {
  let pending = false
  let resolveSleep: (() => void) | undefined
  return {
    wake: () => {
      pending = true
      resolveSleep?.()
    },
    sleep: async (ms) => {
      if (!pending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          resolveSleep = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        resolveSleep = undefined
      }
      const woken = pending
      pending = false
      return woken ? 'woken' : 'slept'
    },
  }
}

/** Sleeps so long whatever happens meanwhile: no event cuts it short. In milliseconds. */
export async function sleepOut(waker: Pick<Waker, 'sleep'>, ms: number): Promise<void> {
  const left = timeLeft(ms)
  for (let more = left(); more > 0; more = left()) await waker.sleep(more)
}
