import { expect, test } from 'vitest'
import { roomKey, withoutControls } from './keys.ts'

test.each([
  ['\u0003', 'interrupt'],
  ['\u001b[99;5u', 'interrupt'],
  ['\u0004', 'end'],
  ['\t', 'tab'],
  ['\u001b[5~', 'up'],
  ['\u001b[6~', 'down'],
  ['\f', 'redraw'],
  ['a', undefined],
  ['\r', undefined],
  ['\u001b[A', undefined],
  ['日', undefined],
])('%j', (data, key) => {
  expect(roomKey(data)).toBe(key)
})

test.each([
  ['a', 'a'],
  ['\u009b', ''],
  ['\u001b[A', '\u001b[A'],
  ['\u001b[200~a\u001b[2Jb\u009bc\td\re\nf\u001b[201~', '\u001b[200~a[2Jbc\td\re\nf\u001b[201~'],
])('%j without what a terminal obeys', (data, clean) => {
  expect(withoutControls(data)).toBe(clean)
})
