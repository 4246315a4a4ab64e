import { defineConfig } from 'vitest/config'

/** `npm run links`: what breaks a link, 2,000 messages a case. It takes minutes. */
// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({
  test: { include: ['test/links/*.faults.ts'], testTimeout: 300_000, maxWorkers: 1 },
})
