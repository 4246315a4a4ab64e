import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/coop/*.demo.ts'],
    // A first run installs Claude Code.
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    retry: 0,
  },
})
