import { expect, test } from 'vitest'
import type { Completable } from './complete.ts'
import { pressTab, type Tabs } from './tab.ts'

const KNOWN: Completable = {
  names: ['backend', 'backup', 'frontend'],
  words: ['who'],
  ids: Array.from({ length: 12 }, (_, at) => `20261121T0339${10 + at}.000001Z-from-backend`),
  numbers: [],
  chains: [],
}

/** The texts that so many presses in a row make. */
function presses(before: string, count: number): string[] {
  const texts: string[] = []
  let tabs: Tabs | undefined
  for (let press = 0; press < count; press += 1) {
    const next = pressTab(texts.at(-1) ?? before, KNOWN, tabs)
    texts.push(next.before)
    tabs = next.tabs
  }
  return texts
}

test.each([
  ['@f', 1, ['@frontend ']],
  ['@b', 4, ['@back', '@backend ', '@backup ', '@backend ']],
  ['@back', 2, ['@back', '@backend ']],
  ['hello', 2, ['hello', 'hello']],
  ['@x', 1, ['@x']],
  ['/w', 1, ['/who ']],
])('%s and %i presses', (before, count, texts) => {
  expect(presses(before, count)).toEqual(texts)
})

test('a part of an id is not taken for the beginning of all ids', () => {
  expect(pressTab('/thread 3391', { ...KNOWN, words: ['thread'] }).before).toBe('/thread 3391')
})

test('the choices are named, as many as there is room for', () => {
  expect(pressTab('@b', KNOWN).says).toBe('@backend  @backup')
  const ids = { ...KNOWN, words: ['thread'] }
  const first = pressTab('/thread ', ids)
  expect(first.says).toMatch(/^\S+T033910\S+ {2}.*… 4 more$/)
  const last = pressTab(first.before, ids, { ...(first.tabs as Tabs), at: 10 })
  expect(last.says).toBe('20261121T033921.000001Z-from-backend')
})

test('another key begins anew', () => {
  const { tabs } = pressTab('@b', KNOWN)
  expect(pressTab('@f', KNOWN, tabs).before).toBe('@frontend ')
})
