import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { NEEDS } from './needs.mjs'

/** @typedef {import('./lane.mjs').Lane} Lane */

const VITEST = join('node_modules', 'vitest', 'vitest.mjs')
const TSC = join('node_modules', 'typescript', 'bin', 'tsc')

/** @param {string[]} names */
const projects = (...names) => [VITEST, 'run', ...names.flatMap((name) => ['--project', name])]

/**
 * What is known without starting the program: a red one ends the run.
 * @type {{ name: string, args: string[] }[]}
 */
export const STATIC = [
  { name: 'types', args: [TSC, '--noEmit'] },
  { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'types of the page', args: [TSC, '--noEmit', '-p', 'src/web/page'] },
  { name: 'types of its tests', args: [TSC, '--noEmit', '-p', 'test/e2e/web'] },
  { name: 'unused code', args: ['node_modules/knip/bin/knip.js'] },
  { name: 'dist', args: ['scripts/check-dist.mjs'] },
  { name: 'docs', args: projects('docs') },
]

/** The same random cases each time, and few of them: `npm run fuzz` tries new ones. */
const FUZZ = { FUZZ_SEED: '1', FUZZ_RUNS: '0.1' }

/** Tests that start no process. @type {Lane} */
export const PURE = {
  name: 'pure',
  args: [...projects('pure', 'pure-mod'), `--maxWorkers=${availableParallelism()}`],
  minutes: 5,
}

/**
 * Tests that start the program: the usual ones, and those that take 10 s and more.
 * @param {('process' | 'long')[]} names @returns {Lane}
 */
const program = (...names) => ({
  name: 'process',
  args: projects(...names),
  env: FUZZ,
  minutes: names.length > 1 || names[0] === 'long' ? 20 : 10,
})

/** Tests with a real client. @param {{ files?: string[], exclude?: string[], minutes: number }} which @returns {Lane} */
const endToEnd = ({ files = [], exclude = [], minutes }) => ({
  name: 'end to end',
  args: [
    ...[VITEST, 'run', '--config', join('test', 'e2e', 'vitest.config.mts')],
    ...['--maxWorkers=3', '--fileParallelism'],
    ...exclude.map((file) => `--exclude=${file}`),
  ],
  files,
  minutes,
})

/** One case each: a message between two Claude Codes, the guardrails' dialog, a worker, the web console. */
export const FIRST = [
  'test/e2e/two-sessions.test.ts',
  'test/e2e/gate/dialog.test.ts',
  'test/e2e/worker/job.test.ts',
  'test/e2e/web/row.test.ts',
]

/** @type {Record<'check' | 'usual' | 'rest' | 'all', Lane[]>} */
export const LANES = {
  check: [PURE],
  usual: [PURE, program('process'), endToEnd({ files: FIRST, minutes: 6 })],
  rest: [program('long'), endToEnd({ exclude: FIRST, minutes: 25 })],
  all: [PURE, program('process', 'long'), endToEnd({ minutes: 25 })],
}

/** What the lanes need of `NEEDS`. */
const ALL = NEEDS.map(({ name }) => name)
export const NEEDED = {
  usual: ['Claude Code', 'Chromium', 'nats-server', 'sshd'],
  rest: ALL,
  all: ALL,
}
