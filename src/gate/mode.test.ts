import { expect, test } from 'vitest'
import { parseMode } from './mode.ts'

test.each([
  [undefined, 'enforce'],
  ['', 'enforce'],
  ['enforce', 'enforce'],
  ['warn', 'warn'],
  ['off', 'off'],
  ['OFF', 'enforce'],
  ['0', 'enforce'],
])('AGENT_CHAT_GATE=%s is %s', (input, mode) => expect(parseMode(input)).toBe(mode))
