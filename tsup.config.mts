import { defineConfig } from 'tsup'

/**
 * CommonJS with split chunks: Node 20 starts a CommonJS file 1.2 times faster than an ES module, and a chunk that a
 * command does not import is never read (measured: docs/decisions/0002-start-up.md).
 */
export default defineConfig({
  entry: { main: 'src/main.ts', hook: 'src/hook.ts', setup: 'setup.ts' },
  format: ['cjs'],
  splitting: true,
  minify: true,
  target: 'node20',
  outDir: 'dist',
  outExtension: () => ({ js: '.js' }),
  noExternal: [/.*/],
  clean: true,
})
