import { diskCases } from './cases/disk.mjs'
import { homeCases } from './cases/home.mjs'
import { killCases } from './cases/kill.mjs'
import { lockCases } from './cases/locks.mjs'
import { randomCases } from './cases/random.mjs'

/**
 * Every case, in the order of the table.
 * @returns {import('./lab.mjs').Case[]}
 */
export function allCases() {
  return [...killCases(), ...randomCases(), ...diskCases(), ...lockCases(), ...homeCases()]
}
