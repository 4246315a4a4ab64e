import { killCases } from './cases/kill.mjs'

/**
 * Every case, in the order of the table.
 * @returns {import('./lab.mjs').Case[]}
 */
export function allCases() {
  return [...killCases()]
}
