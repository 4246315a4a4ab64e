import { defineConfig } from 'tsup'
import { hookFiles } from './scripts/build/hookFiles.mts'
import { lazyEntries } from './scripts/build/lazy.mts'
import { packages } from './scripts/build/packages.mjs'
import {
  flatCommander,
  lazyFiles,
  lazyParsers,
  leaveOut,
  ownPackage,
  PARSERS,
  webPage,
} from './scripts/build/plugins.mts'

/** What is run, and what it runs with the code that was compiled for it before (`src/boot/boot.ts`). */
const PROGRAMS = {
  main: 'src/main.ts',
  hook: 'src/hook.ts',
  cli: 'src/programs/cli.ts',
  hooks: 'src/programs/hooks.ts',
  beforeTool: 'src/programs/beforeTool.ts',
  afterTool: 'src/programs/afterTool.ts',
}

/**
 * CommonJS, because Node 20 starts it 1.2 times faster than ES modules. What the code imports lazily is a file of its own, with all that it needs
 * and nothing shared: one file read and compiled is faster than twenty small ones (measured: docs/dev/decisions/0002-start-up.md).
 */
const PROGRAM = defineConfig({
  entry: { ...PROGRAMS, setup: 'setup.ts', ...lazyEntries(), ...PARSERS },
  format: ['cjs'],
  splitting: false,
  minify: true,
  target: 'node20',
  outDir: 'dist',
  outExtension: () => ({ js: '.js' }),
  noExternal: [/.*/],
  esbuildPlugins: [
    lazyFiles(),
    lazyParsers(),
    leaveOut(),
    flatCommander(),
    ownPackage(),
    webPage(),
    packages(),
    hookFiles(),
  ],
  esbuildOptions: (options) => {
    // A real import() would start Node's loader of ES modules, which costs more than all of our code.
    options.supported = { 'dynamic-import': false }
  },
  clean: true,
})

/**
 * The mod of the second plugin: one ES module that the client reads, not Node. It stays as it was
 * written, so that the client's own check of it names lines that a person can look at.
 */
const MOD = defineConfig({
  entry: { room: 'src/mod/room.ts' },
  format: ['esm'],
  platform: 'neutral',
  target: 'es2022',
  outDir: 'room/hooks',
  outExtension: () => ({ js: '.js' }),
  treeshake: false,
})

export default [PROGRAM, MOD].flat()
