import { expect, test } from 'vitest'

test('is red', () => expect(['a', 'b']).toEqual(['a']))
test('is green beside it', () => expect(1).toBe(1))
