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

const common = { testTimeout: 60_000, hookTimeout: 60_000 }

/** `pure` starts no process and ends within seconds (npm run check); `process` starts many. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'pure',
          include: files.filter((file) => !starts(file)),
          setupFiles: ['test/noProcess.ts'],
        },
      },
      { test: { ...common, name: 'process', include: files.filter(starts) } },
    ],
  },
})
