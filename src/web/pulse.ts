/** A timer that is quick while things happen, and slow when they do not. */
export type Pulse = {
  begin: () => void
  /** Something has happened: what follows from it is looked for soon. */
  stir: () => void
  end: () => void
}

/** The first beat after something has happened, and the most between two. In milliseconds. */
const SOON_MS = 5000
export const BEAT_MS = 30_000

/** Calls `beat` soon, then after twice that, up to `BEAT_MS`; soon again where it gives false. */
export function createPulse(beat: () => boolean): Pulse {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = SOON_MS
  const next = () => {
    const own = setTimeout(() => {
      const calm = beat()
      // It was ended meanwhile, or begun again.
      if (timer !== own) return
      wait = calm ? Math.min(2 * wait, BEAT_MS) : SOON_MS
      next()
    }, wait)
    timer = own
  }
  const end = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const begin = () => {
    end()
    wait = SOON_MS
    next()
  }
  return { begin, end, stir: () => (timer && wait !== SOON_MS ? begin() : undefined) }
}
