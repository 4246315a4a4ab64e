import { bellCases } from './cases/bell.mjs'
import { clockCases } from './cases/clock.mjs'
import { diskCases } from './cases/disk.mjs'
import { doctorCases } from './cases/doctor.mjs'
import { homeCases } from './cases/home.mjs'
import { killCases } from './cases/kill.mjs'
import { limitCases } from './cases/limits.mjs'
import { lockCases } from './cases/locks.mjs'
import { outputCases } from './cases/output.mjs'
import { randomCases } from './cases/random.mjs'
import { ringCases } from './cases/ring.mjs'

/**
 * Every case, in the order of the table.
 * @returns {import('./lab.mjs').Case[]}
 */
export function allCases() {
  return [
    ...killCases(),
    ...randomCases(),
    ...ringCases(),
    ...bellCases(),
    ...diskCases(),
    ...limitCases(),
    ...clockCases(),
    ...lockCases(),
    ...homeCases(),
    ...outputCases(),
    ...doctorCases(),
  ]
}
