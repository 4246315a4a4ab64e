import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { canRun } from './scripts/tests/needs.mjs'
import { ByPath } from './test/sequencer.mts'

const PATTERNS = ['src', 'test', 'chaos', 'bench']

/** How a test file comes to start a process: by itself, or by one of these helpers. */
const STARTS =
  /child_process|hosts\/\w+\.js|testing\/(cli|agent|asks|client|startClient|watchingClient)\.ts|consoleWorld|desktop\.ts|testing\/repository|human\.ts|systemTmux|\.\/(pair|nats|stdio|world|lab|inProcess|two|interleave|served)\.ts/

const files = PATTERNS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
).filter(
  (file) => /\.test\.(ts|mjs)$/.test(file) && !file.startsWith(join('test', 'e2e')) && canRun(file),
)
const starts = (file: string) => STARTS.test(readFileSync(file, 'utf8'))

/** What measures a time, or a memory: `npm run bench:console`, with nothing else beside it. */
const TIMING = [join('test', 'tmux', 'console-load.test.ts')]
/** A matrix, or what takes 10 s and more: `npm run test:rest` runs it. */
const isLong = (file: string) => /\.long\.test\.\w+$/.test(file)
/** What holds docs and screens to the program: the first thing that a run looks at. */
const isDocs = (file: string) => file.startsWith(join('test', 'docs')) || file === TOOLS
const TOOLS = join('test', 'plugin', 'tools.test.ts')

const usual = files.filter((file) => !isLong(file) && !isDocs(file) && !TIMING.includes(file))
const pure = usual.filter((file) => !starts(file))
/** The room's modules keep what they know of their session: each file gets them anew. */
const keeps = (file: string) => file.startsWith(join('src', 'mod'))

/** Ten times what the slowest takes on a quiet machine: nothing waits for it but what has failed. */
const common = { testTimeout: 120_000, hookTimeout: 120_000, setupFiles: ['test/seed.ts'] }
const noProcess = { ...common, setupFiles: ['test/noProcess.ts', 'test/seed.ts'] }

/**
 * Tests that start the program wait for it most of the time: two for each core leave it half idle.
 * More make deadlines late on a machine that has other work.
 */
const WORKERS = Math.max(3, Math.ceil(2.5 * availableParallelism()))

/**
 * `docs`, `pure` and `pure-mod` end within seconds (npm run check); `process` starts the program;
 * `long` is for `npm run test:rest`.
 */
export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: ByPath },
    projects: [
      {
        test: {
          ...noProcess,
          name: 'pure',
          isolate: false,
          include: pure.filter((file) => !keeps(file)),
        },
      },
      { test: { ...noProcess, name: 'pure-mod', include: pure.filter(keeps) } },
      { test: { ...common, name: 'docs', include: files.filter(isDocs) } },
      { test: { ...common, name: 'process', include: usual.filter(starts) } },
      { test: { ...common, name: 'long', include: files.filter(isLong) } },
      { test: { ...common, name: 'timing', include: TIMING } },
    ],
  },
})
