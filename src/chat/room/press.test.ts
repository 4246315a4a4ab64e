import { expect, test } from 'vitest'
import { parsePress } from './press.ts'

const GOOD = [
  { do: 'reply', id: '3', text: '2' },
  { do: 'send', to: 'backend', text: 'hello' },
  { do: 'release', chain: 'x' },
]
test.each(GOOD)('%j is a press', (press) => {
  expect(parsePress(JSON.stringify(press))).toEqual(press)
})

const BAD = [
  '',
  'null',
  '[]',
  '{',
  '{"do":"reply","id":3,"text":"2"}',
  '{"do":"send","to":"backend"}',
  '{"do":"prune"}',
  '{"do":"toString","chain":"x"}',
]
test.each(BAD)('%j is none', (text) => {
  expect(() => parsePress(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
