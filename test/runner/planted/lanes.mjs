import { join } from 'node:path'

const VITEST = join('node_modules', 'vitest', 'vitest.mjs')
const CONFIG = join('test', 'runner', 'planted', 'vitest.config.mts')

/** Two lanes: the planted files that PLANTED names, and one that is green. */
export const LANES = [
  { name: 'planted', files: (process.env.PLANTED ?? '').split(' ') },
  { name: 'behind', files: ['green'] },
].map(({ name, files }) => ({
  name,
  args: [VITEST, 'run', '--config', CONFIG],
  files: files.map((file) => `test/runner/planted/${file}.planted.ts`),
  minutes: Number(process.env.PLANTED_MINUTES ?? 2),
}))
