import { expect, test } from 'vitest'
import { MEANS, parseMeans } from './means.ts'

test.each([
  [undefined, MEANS],
  ['', MEANS],
  ['all', MEANS],
  ['off', []],
  ['bell', ['bell']],
  ['desktop,tmux', ['tmux', 'desktop']],
  [' bell , desktop ', ['bell', 'desktop']],
  ['bell,bell', ['bell']],
  ['bell,all', MEANS],
  ['off,bell', []],
  ['all,off', []],
  ['bell,pigeon', ['bell']],
  ['pigeon', MEANS],
  [',', MEANS],
])('AGENT_CHAT_NOTIFY=%s', (input, means) => {
  expect(parseMeans(input)).toEqual(means)
})
