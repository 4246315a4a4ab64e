import { test } from 'vitest'
import { waitOnce } from './state.ts'

test('waits in vain once', () => waitOnce('waits3'))
