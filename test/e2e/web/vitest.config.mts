import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: {
    include: ['test/e2e/web/web.figures.ts'],
    testTimeout: 300_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
})
