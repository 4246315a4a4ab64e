import { expect, test } from 'vitest'
import { isFirst } from './state.ts'

test('is red once', () => expect(isFirst('redOnce')).toBe(false))
