import { expect, test } from 'vitest'

test.each(Array.from({ length: 20 }, (_, n) => n))('number %d is red', (n) => expect(n).toBe(-1))
