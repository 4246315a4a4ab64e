import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/plug/*.demo.ts'],
    // A first run installs Claude Code and Codex.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    retry: 0,
  },
})
