import { expect, test } from 'vitest'
import { inTurn, ratioOf } from './turns.mjs'

/** Cells that note when they run, and what was asked for before them. */
function noted() {
  /** @type {string[]} */
  const log = []
  const cells = ['a', 'b'].map((name) => ({ name, run: () => log.push(name) }))
  return { log, cells }
}

test('each round begins with another one, and the one that warms does not count', async () => {
  const { log, cells } = noted()
  const times = await inTurn(cells, 3)
  expect(log.join('')).toBe('abbaabba')
  expect(times.get('a')).toEqual([4, 5, 8])
  expect(times.get('b')).toEqual([3, 6, 7])
})

test('what is warm runs in the rounds that count alone, the two of a pair equally often as the first', async () => {
  const { log, cells } = noted()
  let asked = 0
  const ready = () => {
    asked += 1
  }
  const times = await inTurn(cells, 4, { ready, warm: false })
  expect(log.join('')).toBe('baabbaab')
  expect(asked).toBe(8)
  // Of each round: 2 ÷ 1, 3 ÷ 4, 6 ÷ 5, 7 ÷ 8.
  expect(ratioOf(times, 'a', 'b').median).toBeCloseTo((6 / 5 + 7 / 8) / 2)
})
