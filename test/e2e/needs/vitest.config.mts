import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/needs/*.evidence.ts'],
    // A first run installs Claude Code.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    retry: 0,
  },
})
