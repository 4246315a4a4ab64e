import { expect, test } from 'vitest'
import { isBeside } from './pressed.ts'

const CASES: [
  name: string,
  self: [group: number, foreground: number],
  parent: number,
  is: boolean,
][] = [
  ['a child of the client in its group, before the terminal', [7, 7], 7, true],
  ['a hook or a shell of the client: a session of its own, no terminal', [9, -1], 7, false],
  ['a group of its own in the same terminal', [9, 7], 7, false],
  ['a client in the background', [7, 5], 7, false],
  ['a group that took the foreground for itself', [9, 9], 7, false],
  ['no terminal', [7, -1], 7, false],
]

test.each(CASES)('%s', (_, [group, foreground], parent, is) => {
  expect(isBeside({ group, foreground }, { group: parent })).toBe(is)
})
