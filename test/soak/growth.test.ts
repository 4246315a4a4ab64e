import { expect, test } from 'vitest'
import { growthOf, judgeGrowth, type Sample } from './growth.mjs'

const STEADY: Sample = {
  files: 20,
  mb: 55,
  heap: 7.5,
  senderFiles: 19,
  senderMb: 48,
  senderHeap: 5.6,
}

/**
 * What is said to grow in a run of so many minutes, where this was seen in its first, second and
 * last third.
 */
function growing(
  minutes: number,
  ...thirds: [Partial<Sample>, Partial<Sample>, Partial<Sample>]
): string[] {
  const samples = thirds.flatMap((one) => Array.from({ length: 10 }, () => ({ ...STEADY, ...one })))
  return judgeGrowth(samples, minutes).flatMap(({ what, grows }) => (grows ? [what] : []))
}

test('what a program holds after a collection shows a leak of two kilobytes a ring', () => {
  expect(growing(30, { heap: 7 }, { heap: 7.5 }, { heap: 7.8 })).toEqual([])
  expect(growing(30, { heap: 7 }, { heap: 7.6 }, { heap: 8.3 })).toEqual([
    'memory in use by a watcher, MB',
  ])
  expect(growing(30, {}, {}, { senderHeap: 6.1 })).toEqual(['memory in use by a sender, MB'])
})

test('memory that was taken and is not in use is no leak, up to what was ever seen', () => {
  expect(growing(30, { mb: 50 }, { mb: 60 }, { mb: 98 })).toEqual([])
  expect(growing(30, {}, {}, { mb: 130, senderMb: 130 })).toEqual([
    'memory of a watcher, MB',
    'memory of a sender, MB',
  ])
})

test('two more open files are growth, and nothing is where programs only warm up', () => {
  expect(growing(30, {}, {}, { files: 22 })).toEqual(['open files of a watcher'])
  expect(growing(5, {}, {}, { files: 22, heap: 20 })).toEqual([])
})

test('a count that went down and came back is no growth, and one beyond both thirds is', () => {
  const grows = (...thirds: [number, number, number]) =>
    growthOf(
      'processes',
      thirds.flatMap((one) => [one, one, one]),
      { more: 1, counts: true },
    ).grows
  expect(grows(5, 3.7, 5)).toBe(false)
  expect(grows(3, 3, 5)).toBe(true)
  expect(grows(3, 4, 5.1)).toBe(true)
})
