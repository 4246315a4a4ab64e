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

export function watchSilence(limits: Silence, onSilence: (ms: number) => void): SilenceWatch {
  let timer: NodeJS.Timeout | undefined
  let running = 0
  let paused = false
  let over = false
  const heard = () => {
    clearTimeout(timer)
    if (paused || over) return
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
      clearTimeout(timer)
    },
  }
}
