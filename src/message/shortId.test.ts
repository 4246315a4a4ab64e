import { describe, expect, test } from 'vitest'
import { formatId } from './id.ts'
import { apart, isShortId, shortId, standsFor } from './shortId.ts'

const ids = Array.from({ length: 20_000 }, (_, at) =>
  formatId(1_790_000_000_000_000 + at * 7_919, at % 2 === 0 ? 'backend' : 'frontend'),
)
const [id = ''] = ids

describe('the short id of a message', () => {
  test('is five signs, the first a letter and the second a digit', () => {
    expect(ids.filter((one) => !/^[b-z][2-9][b-z2-9]{3}$/.test(shortId(one)))).toEqual([])
    expect(isShortId(shortId(id))).toBe(true)
  })

  test('is the same on every machine, for good', () => {
    expect(shortId('20261121T033912.123456Z-from-backend')).toBe('y95yy')
  })

  test('spreads: of 20,000 hardly any two have the same, and longer ones tell these apart', () => {
    const byShort = new Map<string, string[]>()
    for (const one of ids) byShort.set(shortId(one), [...(byShort.get(shortId(one)) ?? []), one])
    const clashes = [...byShort.values()].filter((group) => group.length > 1)
    expect(clashes.length).toBeGreaterThan(0)
    expect(clashes.length).toBeLessThan(120)
    for (const group of clashes) {
      const longer = apart(group)
      expect(new Set(longer).size).toBe(group.length)
      for (const [at, one] of group.entries())
        expect(group.filter((other) => standsFor(longer[at] ?? '', other))).toEqual([one])
    }
  })

  test.each([
    ['itself', (one: string) => shortId(one), true],
    ['more of it', (one: string) => shortId(one, 8), true],
    ['four signs of it', (one: string) => shortId(one).slice(0, 4), true],
    ['capitals', (one: string) => shortId(one).toUpperCase(), true],
    ['three signs of it', (one: string) => shortId(one).slice(0, 3), false],
    ['one sign', () => '2', false],
    ['four signs of the long one', (one: string) => one.slice(4, 8), true],
    ['three signs of the long one', (one: string) => one.slice(4, 7), false],
    ['another', () => shortId('another'), false],
  ])('stands for it by %s: %s', (_, part, expected) => {
    expect(standsFor(part(id), id)).toBe(expected)
  })

  test('a sender whose name is the short id of another’s message has none of its answers', () => {
    const forged = formatId(1_790_000_000_000_000, `q-${shortId(id)}`)
    expect(standsFor(shortId(id), forged)).toBe(false)
    expect(standsFor(forged.slice(-8), forged)).toBe(true)
  })

  test.each(['1', '1234', 'list', 'done', 'the', 'a2', 'k7', 'b2b'])('%s is none', (text) => {
    expect(isShortId(text)).toBe(false)
  })
})
