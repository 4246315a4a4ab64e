import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { canRun } from '../../scripts/tests/needs.mjs'
import { ByPath } from '../sequencer.mts'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .map((file) => join('test', 'e2e', file))
  .filter((file) => file.endsWith('.test.ts') && canRun(file))

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: files,
    globalSetup: ['test/e2e/delivery/report.ts'],
    // A first run installs Claude Code, and a case may start several of them.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // One at a time: a machine that is busy with another client makes every measured time worthless.
    maxWorkers: 1,
    fileParallelism: false,
    retry: 0,
    sequence: { sequencer: ByPath },
  },
})
