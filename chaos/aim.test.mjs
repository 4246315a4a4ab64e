import { expect, test } from 'vitest'
import { wrongAim } from './aim.mjs'

/** @param {number} count @param {import('./aim.mjs').Hit} hit */
const hits = (count, hit) => Array.from({ length: count }, () => hit)

test.each([
  ['a few kills say nothing', hits(4, 'end'), 0],
  ['none was killed before its end', hits(60, 'end'), 1],
  ['none met the program', hits(60, 'start'), 2],
  ['none left a trace', hits(60, 'code'), 1],
  ['some left one', [...hits(50, 'code'), ...hits(10, 'trace')], 0],
])('%s', (_, all, wrong) => expect(wrongAim(all)).toHaveLength(wrong))
