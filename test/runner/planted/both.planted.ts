import { expect, test } from 'vitest'
import { until } from '../../../src/testing/until.ts'
import { isFirst } from './state.ts'

const first = isFirst('both')
test('waits in vain once', () => until('what does not come', () => !first, 10))
test('is red once', () => expect(first).toBe(false))
