import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempBus } from '../testing/home.ts'
import { checkAllowed } from './allowed.ts'

const ONE = '[{"text":"a","words":["a"],"project":null,"script":null,"at":"x"}]'

test.each([
  [undefined, []],
  ['[]', []],
  [ONE, [{ status: 'ok', detail: '1 command' }]],
  ['{"torn', [{ status: 'warning', hint: expect.stringContaining('rm ') }]],
  ['["npm test"]', [{ status: 'warning' }]],
])('of a file with %j it tells %j', (text, told) => {
  const bus = tempBus()
  if (text !== undefined) writeFileSync(bus.home.allowed, text)
  expect(checkAllowed(bus)).toMatchObject(told)
})
