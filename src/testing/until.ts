/**
 * Looks until `condition` gives something, and gives that. Fails with `what` when it has not after
 * `deadlineMs`, which is long enough for a machine that has ten other things to do.
 */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const value = await condition()
    if (value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
