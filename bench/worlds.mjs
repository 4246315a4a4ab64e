import { join } from 'node:path'
import { makeHome } from './home.mjs'
import { rowsOf } from './rows.mjs'

/**
 * Homes by the number of their old messages, each made once, with its rows; `close` ends what lives in them.
 * @param {string} directory
 * @param {import('./group.mjs').Program} program
 */
export function worlds(directory, program) {
  /** @type {Map<number, Promise<import('./group.mjs').World>>} */
  const made = new Map()
  const make = async (/** @type {number} */ count) => {
    const home = await makeHome(join(directory, `home-${count}`), count, program)
    return { home, rows: rowsOf(home, program) }
  }
  const world = (/** @type {number} */ count) => {
    const known = made.get(count) ?? make(count)
    made.set(count, known)
    return known
  }
  const close = () => {
    for (const known of made.values()) known.then(({ home }) => home.close()).catch(() => {})
  }
  return { world, close }
}
