import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/agents/*.table.ts'],
    // A first run installs the agent; ten rounds take some minutes.
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    retry: 0,
  },
})
