import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest takes its configuration from the default export
export default defineConfig({ test: { include: ['test/runner/planted/*.planted.ts'] } })
