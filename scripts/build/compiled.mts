import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from './plugins.mts'

const ENTRY = /src\/boot\/compiled\.ts$/

/**
 * Makes the one program of all that `dist/` has several of: its roots are the files of `src/` that boot one, and what they boot is in it
 * already.
 */
export function compiled(): Plugin {
  return {
    name: 'compiled',
    setup(build) {
      build.onResolve({ filter: ENTRY }, ({ kind }) =>
        kind === 'entry-point' ? { path: 'entry', namespace: 'compiled' } : undefined,
      )
      build.onLoad({ filter: /^entry$/, namespace: 'compiled' }, () => ({
        contents: `import { runCompiled } from './src/boot/compiled.ts'\nrunCompiled(${table('src', roots())})`,
        resolveDir: '.',
      }))
      build.onResolve({ filter: /\/boot\/boot\.ts$/ }, () => ({
        path: 'boot',
        namespace: 'compiled',
      }))
      build.onLoad({ filter: /^boot$/, namespace: 'compiled' }, () => ({
        contents: `const programs = ${table('src/programs', sources('src/programs'))}\nexport const boot = (_, entry) => programs[entry]()`,
        resolveDir: '.',
      }))
    },
  }
}

function roots(): string[] {
  return sources('src').filter((file) => /^boot\(/m.test(readFileSync(join('src', file), 'utf8')))
}

function sources(folder: string): string[] {
  return readdirSync(folder).filter((file) => /(?<!\.test)\.ts$/.test(file))
}

/** Code for an object that runs each file when it is asked for, by the name of the file in `dist/`. */
function table(folder: string, files: string[]): string {
  const lines = files.map(
    (file) => `'${file.replace(/ts$/, 'js')}': () => require('./${folder}/${file}')`,
  )
  return `{ ${lines.join(', ')} }`
}
