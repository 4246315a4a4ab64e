import { test } from 'vitest'

test('hangs', { timeout: 600_000 }, () => new Promise(() => {}))
