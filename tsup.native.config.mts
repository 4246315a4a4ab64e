import { defineConfig } from 'tsup'
import { compiled } from './scripts/build/compiled.mts'

/** All programs in one file, which `npm run build:native` compiles: each part runs when it is first needed. */
export default defineConfig({
  entry: { native: 'src/boot/compiled.ts' },
  format: ['cjs'],
  splitting: false,
  minify: true,
  target: 'node20',
  outDir: 'native',
  esbuildPlugins: [compiled()],
  esbuildOptions: (options) => {
    options.define = { ...options.define, __dirname: 'globalThis.agentChatDist' }
  },
  silent: true,
})
