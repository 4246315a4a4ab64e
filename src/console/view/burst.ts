/**
 * Keys that come closer together than this were pasted, or held up on their way: nobody has seen
 * what each of them would do. In milliseconds.
 */
export const BURST_MS = 10

/**
 * Lets a key act once it is known that it came alone. `several`: more came at once, and none of them
 * acts but those that only move.
 */
export function createBurst(now: () => number, several: () => void) {
  let last = Number.NEGATIVE_INFINITY
  let waits: ReturnType<typeof setTimeout> | undefined
  return (act: () => void, moves: boolean) => {
    const isAlone = !(now() - last < BURST_MS)
    const isDropped = waits !== undefined || !moves
    last = now()
    clearTimeout(waits)
    waits = undefined
    if (!isAlone && isDropped) several()
    if (moves) return act()
    if (isAlone)
      waits = setTimeout(() => {
        waits = undefined
        act()
      }, BURST_MS)
  }
}
