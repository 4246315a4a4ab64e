import { expect, test } from 'vitest'
import { ratio } from './group.mjs'
import { legend, mark } from './marks.mjs'
import { missedLimits, overLimits, renderReport } from './report.mjs'
import { summarize } from './stats.mjs'

const around = (/** @type {number} */ middle, /** @type {number} */ width) =>
  summarize(Array.from({ length: 41 }, (_, index) => middle + ((index - 20) / 20) * width))

const WITHIN = { what: 'send', summary: around(1.1, 0.2), limit: 1.15 }
const OVER = { what: 'hook bell', summary: around(1.17, 0.2), limit: 1.15 }
const MISSED = { what: 'inbox', summary: around(1.25, 0.05), limit: 1.15 }

test('a median over its limit is marked by how much of its interval is', () => {
  expect(mark(WITHIN.summary, WITHIN.limit)).toBe('')
  expect(mark(OVER.summary, OVER.limit)).toBe(' !')
  expect(mark(MISSED.summary, MISSED.limit)).toBe(' !!')
  expect(mark(MISSED.summary)).toBe('')
  expect(ratio(OVER.summary, OVER.limit)).toBe('**1.17** [1.07–1.27] !')
})

test('a median that is its limit is within it', () => {
  expect(mark(summarize([1.15]), 1.15)).toBe('')
  expect(mark(summarize([1.14, 1.1501, 1.16]), 1.15)).toBe(' !')
})

test('five values are no interval of 95 %, six are', () => {
  const five = [1.2, 1.3, 1.4, 1.5, 1.6]
  expect(mark(summarize(five), 1.15)).toBe(' !')
  expect(mark(summarize([...five, 1.7]), 1.15)).toBe(' !!')
})

test('the report tells what the marks mean and how many there are; the screen names them', () => {
  const parts = [
    { lines: ['### One'], checks: [WITHIN, OVER] },
    { lines: ['### Two'], checks: [MISSED] },
  ]
  expect(legend(parts.flatMap(({ checks }) => checks))).toMatch(
    /^`!` .*: 1 of 3\. `!!` .* missed: 1\.$/,
  )
  expect(
    renderReport(parts, { directory: '/', command: 'npm run bench', commit: undefined }),
  ).toContain(legend([WITHIN, OVER, MISSED]))
  expect(
    renderReport([], { directory: '/', command: 'npm run bench', commit: 'abc1234+' }),
  ).toMatch(/\n\nCommit abc1234\+; `npm run bench`\.$/)
  expect(overLimits(parts)).toEqual([
    expect.stringMatching(/^hook bell: 1\.17 is over 1\.15 in the median/),
  ])
  expect(missedLimits(parts)).toEqual([
    expect.stringMatching(/^inbox: 1\.25 is over 1\.15 \(at least 1\.2/),
  ])
})
