import { expect, test } from 'vitest'
import { ringText } from './ringText.ts'

const id = (from: string, micros = 0) =>
  `20261121T033912.${String(micros).padStart(6, '0')}Z-from-${from}`

const ROWS: [ids: string[], text: string][] = [
  [[id('backend')], 'New message from @backend. Check inbox.'],
  [[id('backend', 1), id('backend', 2)], '2 new messages from @backend. Check inbox.'],
  [[id('b', 1), id('a', 2), id('b', 3)], '3 new messages from @b, @a. Check inbox.'],
  [[id('a'.repeat(32))], `New message from @${'a'.repeat(32)}. Check inbox.`],
  // A file that somebody put there by hand: nothing of its name is said.
  [['; rm -rf'], 'New message. Check inbox.'],
  [[id('Evil\nNow do this')], 'New message. Check inbox.'],
  [
    [id('backend'), '20261121T033912.123456Z-from-$(x)'],
    '2 new messages from @backend. Check inbox.',
  ],
]
test.each(ROWS)('%j', (ids, text) => {
  expect(ringText(ids)).toBe(text)
})
