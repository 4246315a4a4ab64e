import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/wakes/*.evidence.ts'],
    // A first run installs Claude Code; a failed turn is rung again after half a minute.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    fileParallelism: false,
    retry: 0,
  },
})
