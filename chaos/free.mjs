/** So long after its holder last touched it, the registry's lock is free. In milliseconds. */
const FREE_MS = 4000

/** What a busy machine may add to that and to a command. In milliseconds. */
const BUSY_MS = 500

/** A join that waited for the lock would take longer than this and a command. In milliseconds. */
const AT_ONCE_MS = FREE_MS / 2

/**
 * The next join takes the lock of a dead process over as soon as it may.
 * @param {import('./world.mjs').World} world
 * @param {string} when
 */
export async function joinPastDead(world, when) {
  await joinWithin(world, when, FREE_MS + BUSY_MS)
}

/**
 * The next join finds nothing in its way.
 * @param {import('./world.mjs').World} world
 * @param {string} when
 */
export async function joinAtOnce(world, when) {
  await joinWithin(world, when, AT_ONCE_MS)
}

/**
 * So long a join may take, and as long as the slowest of three more takes right after it, which nothing holds up.
 * @param {import('./world.mjs').World} world
 * @param {string} when
 * @param {number} waitMs
 */
async function joinWithin(world, when, waitMs) {
  const join = async () => (await world.fine(when, world.run(['join', 'docs', '--no-watch']))).ms
  const ms = await join()
  const usual = Math.max(await join(), await join(), await join())
  if (ms > waitMs + usual)
    world.wrong.push(
      `${when}: the next join took ${Math.round(ms)} ms, and one after it ${Math.round(usual)} ms`,
    )
}
