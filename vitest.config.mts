import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const PATTERNS = ['src', 'test', 'chaos', 'bench']

/** How a test file comes to start a process: by itself, or by one of these helpers. */
const STARTS =
  /child_process|hosts\/\w+\.js|testing\/(cli|agent|asks)\.ts|consoleWorld|desktop\.ts|human\.ts|systemTmux|\.\/(pair|nats|stdio|world|lab|inProcess|two|interleave|served)\.ts/

const files = PATTERNS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
).filter((file) => /\.test\.(ts|mjs)$/.test(file) && !file.startsWith(join('test', 'e2e')))
const starts = (file: string) => STARTS.test(readFileSync(file, 'utf8'))

const pure = files.filter((file) => !starts(file))
/** The room's modules keep what they know of their session: each file gets them anew. */
const keeps = (file: string) => file.startsWith(join('src', 'mod'))

const common = { testTimeout: 60_000, hookTimeout: 60_000 }
const noProcess = { ...common, setupFiles: ['test/noProcess.ts'] }

/**
 * `pure` and `pure-mod` start no process and end within seconds (npm run check); `process` starts
 * many.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
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
      { test: { ...common, name: 'process', include: files.filter(starts) } },
    ],
  },
})
