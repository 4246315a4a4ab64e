import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'tsup'
import { packages } from './scripts/build/packages.mjs'
import {
  entryName,
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
  toolHooks: 'src/programs/toolHooks.ts',
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

/** Every module under `src/` that some other imports lazily, by the name of its file in `dist/`: `bus/inbox.ts` is `bus-inbox`. */
function lazyEntries(): Record<string, string> {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const lazy = sources.flatMap((file) => {
    const text = readFileSync(join('src', file), 'utf8')
    return [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map((match) =>
      join('src', dirname(file), match[1] ?? ''),
    )
  })
  return Object.fromEntries(lazy.map((path) => [entryName(path), path]))
}
