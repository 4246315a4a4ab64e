import { test } from 'vitest'
import { leftOut } from '../../../src/testing/leftOut.ts'

test('is left out', leftOut('the moon is not full'), () => {})
