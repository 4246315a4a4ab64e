import { expect, test } from 'vitest'
import { styleFor } from './style.ts'

test('NO_COLOR leaves text as it is', () => {
  const { tone, name } = styleFor({ NO_COLOR: '1' })
  expect([tone('error', 'no'), name('backend')]).toEqual(['no', '@backend'])
})

test.each([undefined, ''])('NO_COLOR=%s is none', (NO_COLOR) => {
  const { tone, name } = styleFor({ NO_COLOR })
  expect(tone('error', 'no')).toBe('\u001b[31mno\u001b[39m')
  expect(name('backend')).toMatch(/^\u001b\[\d+m@backend\u001b\[39m$/)
  expect(name('backend')).toBe(name('backend'))
})
