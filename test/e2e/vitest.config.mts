import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    // A first run installs Claude Code, and a case may start several of them.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // One at a time: a machine that is busy with another client makes every measured time worthless.
    maxWorkers: 1,
    fileParallelism: false,
    retry: 0,
  },
})
