/** How long what comes by itself may take: the product's own second look comes after 30 s. */
export const LONGEST_MS = 90_000
/** What took longer than this is told, though it came. */
const SLOW_MS = 5000

/**
 * Looks until `condition` gives something, and gives that. Fails with `what` when it has not after
 * `deadlineMs`, which is long enough for a machine that has ten other things to do.
 */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = LONGEST_MS,
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const value = await condition()
    const ms = performance.now() - began
    if (value !== undefined && value !== false) {
      tellSlow(what, ms)
      return value
    }
    if (ms > deadlineMs) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Prints what came late, for the report of the run. */
export function tellSlow(what: string, ms: number): void {
  const [line] = what.split('\n')
  if (ms > SLOW_MS) console.log(`slow: ${line} came after ${(ms / 1000).toFixed(1)} s`)
}
