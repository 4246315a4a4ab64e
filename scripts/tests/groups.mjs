import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** @typedef {import('./group.mjs').Group} Group */

const VITEST = join('node_modules', 'vitest', 'vitest.mjs')
const TSC = join('node_modules', 'typescript', 'bin', 'tsc')
const END_TO_END = [VITEST, 'run', '--config', join('test', 'e2e', 'vitest.config.mts')]

/** @param {string[]} names */
const projects = (...names) => [VITEST, 'run', ...names.flatMap((name) => ['--project', name])]
/** @param {number} count */
const workers = (count) => [`--maxWorkers=${count}`, '--fileParallelism']

/** What is known without a test. @type {Group[]} */
export const STATIC = [
  { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'types', args: [TSC, '--noEmit'] },
  { name: 'types of the page', args: [TSC, '--noEmit', '-p', 'src/web/page'] },
  { name: 'types of its tests', args: [TSC, '--noEmit', '-p', 'test/e2e/web'] },
  { name: 'unused code', args: ['node_modules/knip/bin/knip.js'] },
  { name: 'dist', args: ['scripts/check-dist.mjs'] },
  { name: 'audit', args: ['scripts/audit.mjs'], mayFail: 'not known:' },
]

/** A short look at random cases, the same ones each time: `npm run test:all` has 10 times as many. */
const FUZZ = { FUZZ_SEED: '1', FUZZ_RUNS: '0.1' }

/** All that starts no client. @type {Group[]} */
export const TESTS = [
  {
    name: 'tests that start no process',
    args: [...projects('pure', 'pure-mod'), ...workers(availableParallelism())],
    vitest: true,
  },
  { name: 'tests that start the program', args: projects('process'), vitest: true, env: FUZZ },
]

/**
 * One case each with a real client: what it shows, where it is, a part of its title, and what it
 * needs that not every machine has.
 * @type {{ shows: string, file: string, title: string, needs?: string }[]}
 */
export const CASES = [
  {
    shows: 'a message between two Claude Codes',
    file: 'test/e2e/two-sessions.test.ts',
    title: 'two launched sessions: one sends',
  },
  {
    shows: 'the dialog of the guardrails',
    file: 'test/e2e/gate/turns.test.ts',
    title: 'a message that waited for the session to start is no human \\(native\\)',
  },
  {
    shows: 'one worker',
    file: 'test/e2e/worker/job.test.ts',
    title: 'from a fresh home to the end',
  },
  {
    shows: 'the web console in a browser',
    file: 'test/e2e/web/page.test.ts',
    title: 'a row comes with the send',
    needs: 'no Chromium (apt-get install chromium-headless-shell)',
  },
]

/** @param {typeof CASES} cases @returns {Group} */
export const clients = (cases) => ({
  name: 'one case each with a real client',
  args: [
    ...[...END_TO_END, ...workers(2), ...cases.map(({ file }) => file)],
    ...['-t', cases.map(({ title }) => title).join('|')],
  ],
  vitest: true,
})

/** What measures, alone. @type {Group[]} */
export const ALONE = [{ name: 'timing', args: projects('timing'), vitest: true }]

/** What runs beside the clients, one after the other. @type {Group[]} */
export const BESIDE = [
  { name: 'file limit', args: ['chaos/run.mjs', '--only', 'file limit'] },
  { name: 'matrices', args: [...projects('long'), ...workers(2)], vitest: true },
  {
    name: 'random cases',
    args: [...projects('process'), 'test/fuzz/fuzz.test.ts'],
    vitest: true,
    env: { FUZZ_RUNS: '1' },
  },
]

/**
 * Every case with a real client. Two at a time: how long a ring takes is measured by `npm run e2e`,
 * one at a time. @type {Group}
 */
export const CLIENTS = { name: 'end to end', args: [...END_TO_END, ...workers(2)], vitest: true }
