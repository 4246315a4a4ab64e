import { QUIET_MS } from '../../session/workerState.ts'

/** How long a client may say nothing, in milliseconds. */
export type Silence = {
  /** While it asks the API. */
  requestingMs: number
  /** While a tool runs: it gives a sign of life every 30 s then. */
  toolMs: number
}

export const SILENCE: Silence = { requestingMs: 300_000, toolMs: 90_000 }

/** Watches for silence. Every call of `heard` begins the wait anew. */
export type SilenceWatch = {
  heard: () => void
  /** A tool runs, or no longer. */
  tools: (running: number) => void
  /** The human is asked: nothing is heard meanwhile, for as long as that takes. */
  pause: (paused: boolean) => void
  end: () => void
}

/**
 * `onSilence` is called once nothing was heard for too long. `onQuiet` is called with true where the
 * API says nothing for `QUIET_MS`, and with false as soon as something is heard again.
 */
export function watchSilence(
  limits: Silence,
  onSilence: (ms: number) => void,
  onQuiet: (isQuiet: boolean) => void = () => {},
): SilenceWatch {
  let timer: NodeJS.Timeout | undefined
  let quiet: NodeJS.Timeout | undefined
  let isQuiet = false
  let running = 0
  let paused = false
  let over = false
  const heard = () => {
    clearTimeout(timer)
    clearTimeout(quiet)
    if (isQuiet) onQuiet(false)
    isQuiet = false
    if (paused || over) return
    if (running === 0)
      quiet = setTimeout(() => {
        isQuiet = true
        onQuiet(true)
      }, QUIET_MS)
    const limit = running > 0 ? limits.toolMs : limits.requestingMs
    timer = setTimeout(() => onSilence(limit), limit)
  }
  heard()
  return {
    heard,
    tools: (count) => {
      running = count
      heard()
    },
    pause: (value) => {
      paused = value
      heard()
    },
    end: () => {
      over = true
      heard()
    },
  }
}
