/** Work that is asked for more often than it need be done. */
type Throttle = { ask: () => void; close: () => void }

/**
 * Does `work` at once when it is asked for, and again when it was asked for meanwhile, but begins
 * no two runs within `gapMs`, and never two at a time. What `work` throws goes to `onFault`.
 */
export function createThrottle(
  work: () => void | Promise<void>,
  gapMs: number,
  onFault: (error: unknown) => void,
): Throttle {
  let asked = false
  let busy = false
  let closed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = async () => {
    asked = false
    busy = true
    try {
      await work()
    } catch (error) {
      if (!closed) onFault(error)
    }
    if (!closed) timer = setTimeout(rested, gapMs)
  }
  const rested = () => {
    busy = false
    if (asked && !closed) void run()
  }
  return {
    ask: () => {
      asked = true
      if (!busy && !closed) void run()
    },
    close: () => {
      closed = true
      clearTimeout(timer)
    },
  }
}
