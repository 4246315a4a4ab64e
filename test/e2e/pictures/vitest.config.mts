import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/pictures/*.picture.ts'],
    // A first run installs Claude Code.
    testTimeout: 300_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    retry: 0,
  },
})
