import { test } from 'vitest'
import { isFirst } from './state.ts'

test('has no time once', { timeout: 50 }, () =>
  isFirst('timesOut') ? new Promise(() => {}) : undefined,
)
