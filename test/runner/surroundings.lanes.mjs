import { join } from 'node:path'

/** One lane: the test files that SURROUNDED names. */
export const LANES = [
  {
    name: 'surrounded',
    args: [join('node_modules', 'vitest', 'vitest.mjs'), 'run'],
    files: (process.env.SURROUNDED ?? '').split(' '),
    minutes: 5,
  },
]
