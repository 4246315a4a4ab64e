import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const PATTERNS = ['src', 'test', 'chaos', 'bench']

/** How a test file comes to start a process: by itself, or by one of these helpers. */
const STARTS =
  /child_process|hosts\/\w+\.js|testing\/(cli|agent|asks)\.ts|consoleWorld|desktop\.ts|testing\/repository|human\.ts|systemTmux|\.\/(pair|nats|stdio|world|lab|inProcess|two|interleave|served)\.ts/

const files = PATTERNS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
).filter((file) => /\.test\.(ts|mjs)$/.test(file) && !file.startsWith(join('test', 'e2e')))
const starts = (file: string) => STARTS.test(readFileSync(file, 'utf8'))

/** What measures a time, or a memory: nothing else may run beside it. */
const TIMING = [join('test', 'tmux', 'console-load.test.ts')]
/** A matrix, or what waits for minutes by its nature: `npm run test:all` runs it. */
const isLong = (file: string) => /\.long\.test\.\w+$/.test(file)

const usual = files.filter((file) => !isLong(file) && !TIMING.includes(file))
const pure = usual.filter((file) => !starts(file))
/** The room's modules keep what they know of their session: each file gets them anew. */
const keeps = (file: string) => file.startsWith(join('src', 'mod'))

/** Ten times what the slowest takes on a quiet machine: nothing waits for it but what has failed. */
const common = { testTimeout: 120_000, hookTimeout: 120_000 }
const noProcess = { ...common, setupFiles: ['test/noProcess.ts'] }

/**
 * Tests that start the program wait for it most of the time: two for each core leave it half idle.
 * More make deadlines late on a machine that has other work.
 */
const WORKERS = Math.max(3, Math.ceil(2.5 * availableParallelism()))

/**
 * `pure` and `pure-mod` start no process and end within seconds (npm run check); `process` starts
 * many; `long` and `timing` are for `npm run test:all`.
 */
export default defineConfig({
  test: {
    maxWorkers: WORKERS,
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
      { test: { ...common, name: 'process', include: usual.filter(starts) } },
      { test: { ...common, name: 'long', include: files.filter(isLong) } },
      {
        test: {
          ...common,
          name: 'timing',
          include: TIMING,
          fileParallelism: false,
          // After all others, where all are run.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
