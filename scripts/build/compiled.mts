import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build as buildWith } from 'esbuild'
import { lazyEntries } from './lazy.mts'
import { flatCommander, leaveOut, type Plugin, parsersWithin } from './plugins.mts'

/**
 * The files of `dist/` that the native program takes as they are: hooks, the commands of every turn, and what these load. Each is a function
 * around all that it needs, so a hook reads its own bytecode and no other (measured: docs/dev/decisions/0007-native.md). They hold
 * the same modules again and again, so all others come from one bundle that has each module once.
 */
const OFTEN =
  /^(cli|hooks|beforeTool|afterTool|gray-matter|js-yaml|cli-commands-(send|inbox|who|history|reply|ask|status)|(agents|bus|chat|doorbell|hooks|session|system)-.+)$/

/** Makes the one program of all that `dist/` has several of: its roots are the files of `src/` that boot one. */
export function compiled(): Plugin {
  return {
    name: 'compiled',
    setup(build) {
      const virtual = (filter: RegExp, path: string, contents: () => string | Promise<string>) => {
        build.onResolve({ filter }, ({ kind }) =>
          path === 'entry' && kind !== 'entry-point' ? undefined : { path, namespace: 'compiled' },
        )
        build.onLoad({ filter: new RegExp(`^${path}$`), namespace: 'compiled' }, async () => ({
          contents: await contents(),
          resolveDir: '.',
        }))
      }
      virtual(/src\/boot\/compiled\.ts$/, 'entry', () => {
        const table = tableOf(roots().map((name) => [`${name}.js`, `./src/${name}.ts`]))
        return `import { runCompiled } from './src/boot/compiled.ts'\nrunCompiled(${table})`
      })
      virtual(/\/boot\/boot\.ts$/, 'boot', () => {
        const table = tableOf(namesIn('src/programs').map((name) => [`${name}.js`, `./${name}.js`]))
        return `const programs = ${table}\nexport const boot = (_, entry) => programs[entry]()`
      })
      virtual(/^rest$/, 'rest', bundleOfRest)
      build.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, importer, namespace }) => {
        if (namespace !== 'compiled' && !importer.startsWith(resolve('dist'))) return
        const name = path.slice(2, -3)
        return OFTEN.test(name)
          ? { path: resolve('dist', `${name}.js`) }
          : { path: name, namespace: 'of-the-rest' }
      })
      build.onLoad({ filter: /.*/, namespace: 'of-the-rest' }, ({ path }) => ({
        contents: `module.exports = require('rest')['${path}']()`,
      }))
    },
  }
}

/** One script with all modules that are loaded lazily and not often, each once. */
async function bundleOfRest(): Promise<string> {
  const seldom = Object.entries(lazyEntries()).filter(([name]) => !OFTEN.test(name))
  const { outputFiles } = await buildWith({
    stdin: {
      contents: `module.exports = ${tableOf(seldom.map(([name, path]) => [name, `./${path}`]))}`,
      resolveDir: '.',
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    plugins: [parsersWithin(), leaveOut(), flatCommander()],
  })
  return outputFiles[0]?.text ?? ''
}

function roots(): string[] {
  return namesIn('src').filter((name) => /^boot\(/m.test(readFileSync(`src/${name}.ts`, 'utf8')))
}

/** Names of the modules in a folder. */
function namesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => /^(\w+)\.ts$/.exec(file)?.[1] ?? [])
}

/** Code for an object that runs each file when it is asked for, by a name. */
function tableOf(files: [name: string, path: string][]): string {
  return `{ ${files.map(([name, path]) => `'${name}': () => require('${path}')`).join(', ')} }`
}
