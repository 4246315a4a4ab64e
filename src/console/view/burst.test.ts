import { expect, test } from 'vitest'
import { BURST_MS, createBurst } from './burst.ts'

/** Presses keys at these times; those in capitals only move. Gives which of them acted. */
async function pressed(...keys: [key: string, at: number][]): Promise<string> {
  let [now, acted] = [0, '']
  const burst = createBurst(
    () => now,
    () => (acted += '!'),
  )
  for (const [key, at] of keys) {
    now = at
    burst(() => (acted += key), key !== key.toLowerCase())
  }
  // Behind what the last key has left to wait for, which was set before.
  await new Promise((resolve) => setTimeout(resolve, BURST_MS + 1))
  return acted
}

test.each<[what: string, keys: [string, number][], acted: string]>([
  ['a key alone acts', [['a', 0]], 'a'],
  [
    'two at once: none acts',
    [
      ['a', 0],
      ['b', 0],
    ],
    '!',
  ],
  [
    'three at once',
    [
      ['a', 0],
      ['b', 0],
      ['c', 3],
    ],
    '!!',
  ],
  [
    'one that is barely later is of the same paste',
    [
      ['a', 0],
      ['b', BURST_MS - 1],
    ],
    '!',
  ],
  ['what only moves acts at once', [['J', 0]], 'J'],
  [
    'and in a paste, which nothing else acts in',
    [
      ['J', 0],
      ['a', 0],
      ['K', 0],
    ],
    'J!K',
  ],
  [
    'a clock that was put back tells nothing',
    [
      ['a', 50],
      ['b', 0],
    ],
    '!',
  ],
])('%s', async (_, keys, acted) => {
  expect(await pressed(...keys)).toBe(acted)
})
