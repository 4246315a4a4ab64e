import { afterAll, test } from 'vitest'

test('is green', () => {})
afterAll(() => {
  throw new Error('it cannot be put away')
})
