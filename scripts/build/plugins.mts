import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { build as buildWith } from 'esbuild'
import type { Options } from 'tsup'
import { entryName } from './lazy.mts'

export type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** Packages that are read when something of theirs is first used: most messages are read without them. */
export const PARSERS = {
  'gray-matter': 'node_modules/gray-matter/index.js',
  'js-yaml': 'node_modules/js-yaml/index.js',
}

/** A lazy import becomes a `require` of that module's own file. */
export function lazyFiles(): Plugin {
  return {
    name: 'lazy-files',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import'
          ? { path: `./${entryName(join(resolveDir, path))}.js`, external: true }
          : undefined,
      )
    },
  }
}

/**
 * Leaves out of the bundle js-yaml's JavaScript type, which looks for a parser of JavaScript: that must not be there at all; and of the terminal
 * library, what shows Markdown (with its parser) and a native module for Windows, which it looks for beside its own file. proper-lockfile gets Node's own
 * `fs` in the place of graceful-fs, which loads all of Node's streams and queues calls for want of open files: a lock is one directory. `assert`, which
 * signal-exit asks one question, loads them too. The page is served by HTTP 1.1 alone: HTTP 2 is a large part of Node.
 */
export function leaveOut(): Plugin {
  return {
    name: 'leave-out',
    setup(build) {
      build.onResolve({ filter: /^graceful-fs$/ }, () => ({ path: 'fs', external: true }))
      build.onResolve({ filter: /^assert$/ }, ({ importer }) =>
        /signal-exit\/index\.js$/.test(importer)
          ? { path: 'assert', namespace: 'leave-out' }
          : undefined,
      )
      build.onLoad({ filter: /^assert$/, namespace: 'leave-out' }, () => ({
        contents:
          'exports.equal = (one, other, why) => { if (one !== other) throw new Error(why) }',
      }))
      build.onResolve({ filter: /^node:http2$/ }, () => ({
        path: 'http2',
        namespace: 'leave-out',
      }))
      build.onLoad({ filter: /^http2$/, namespace: 'leave-out' }, () => ({
        contents: 'export class Http2ServerRequest {}; export const constants = {}',
      }))
      build.onLoad({ filter: /js-yaml\/lib\/js-yaml\/type\/js\/function\.js$/ }, () => ({
        contents: `module.exports = new (require('../../type'))('tag:yaml.org,2002:js/function', { kind: 'scalar', resolve: () => false })`,
      }))
      build.onLoad(
        { filter: /@modelcontextprotocol\/server\/dist\/ajvProvider-[\w-]+\.mjs$/ },
        () => ({
          contents: `class Validator { getValidator() { return (data) => ({ valid: true, data }) } }
export { Validator as n, Validator as t }`,
        }),
      )
      build.onLoad({ filter: /pi-tui\/dist\/terminal\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const native = 'createRequire(import.meta.url)'
        if (!text.includes(native))
          throw new Error(`pi-tui no longer has ${native}: look again at what is left out`)
        return { contents: text.replace(native, '() => ({})') }
      })
    },
  }
}

/**
 * Reads commander's files as ES modules. As CommonJS each one is a function around all of its code, which V8 reads once to find its end and once
 * more to run it: a twentieth of a start-up. `node:child_process`, which it loads for subcommands that are programs of their own, is left out:
 * ours are not.
 */
export function flatCommander(): Plugin {
  return {
    name: 'flat-commander',
    setup(build) {
      build.onResolve({ filter: /^commander$/ }, () => ({
        path: 'commander',
        namespace: 'flat-commander',
      }))
      build.onLoad({ filter: /.*/, namespace: 'flat-commander' }, () => ({
        contents: `export { Command } from './command.js'; export { CommanderError } from './error.js'`,
        resolveDir: resolve('node_modules/commander/lib'),
      }))
      build.onLoad({ filter: /commander\/lib\/\w+\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const contents = text
          .replace("const childProcess = require('node:child_process')", 'const childProcess = {}')
          .replace(
            "const EventEmitter = require('node:events').EventEmitter",
            "import { EventEmitter } from 'node:events'",
          )
          .replaceAll(/^const (\w+|\{[^}]*\}) = require\(('[^']+')\)/gm, 'import $1 from $2')
          .replaceAll(/^exports\.(\w+) = \1;/gm, 'export { $1 };')
        if (
          /\brequire\(|\bexports\b|node:child_process/.test(
            contents.replaceAll(/^ *(\*|\/\/).*$/gm, ''),
          )
        )
          throw new Error(
            `${path} is no longer written as it was: look again at how it becomes an ES module`,
          )
        return { contents }
      })
    },
  }
}

/** Where our own code imports a parser, a module stands for it that loads the parser's own file when it is called, or a member is asked for. */
export function lazyParsers(): Plugin {
  return parsers('lazy-parsers', (name) => ({ path: `./${name}.js`, external: true }))
}

/** The same, with the parser in this bundle. */
export function parsersWithin(): Plugin {
  return parsers('parsers-within', (name) => ({ path: resolve(PARSERS[name]) }))
}

function parsers(
  pluginName: string,
  place: (name: keyof typeof PARSERS) => { path: string; external?: boolean },
): Plugin {
  return {
    name: pluginName,
    setup(build) {
      const require = createRequire(import.meta.url)
      build.onResolve(
        { filter: new RegExp(`^(${Object.keys(PARSERS).join('|')})$`) },
        ({ path, importer, namespace }) => {
          if (namespace === 'lazy-parser') return place(path as keyof typeof PARSERS)
          return importer.endsWith('.ts') ? { path, namespace: 'lazy-parser' } : undefined
        },
      )
      build.onLoad({ filter: /.*/, namespace: 'lazy-parser' }, ({ path }) => ({
        contents: `const load = () => require('${path}')
module.exports = (...args) => load()(...args)
for (const key of ${JSON.stringify(Object.keys(require(path)))})
  Object.defineProperty(module.exports, key, { enumerable: true, get: () => load()[key] })`,
        resolveDir: '.',
      }))
    },
  }
}

/** Node reads the nearest `package.json` before it runs a file; an empty one beside it is found sooner than the project's, and read in no time. */
export function ownPackage(): Plugin {
  return {
    name: 'own-package',
    setup(build) {
      build.onEnd(() =>
        writeFile(join(build.initialOptions.outdir ?? 'dist', 'package.json'), '{}\n'),
      )
    },
  }
}

/**
 * Builds the page that `agent-chat web` serves, for a browser: `page.js` and `page.css` beside the programs. Its packages count among those of the
 * bundle.
 */
export function webPage(): Plugin {
  return {
    name: 'web-page',
    setup(build) {
      build.onEnd(async ({ metafile }) => {
        const page = await buildWith({
          entryPoints: { page: 'src/web/page/main.tsx' },
          outdir: build.initialOptions.outdir ?? 'dist',
          bundle: true,
          minify: true,
          metafile: true,
          format: 'iife',
          target: ['chrome123', 'firefox120', 'safari17.5'],
          jsx: 'automatic',
          jsxImportSource: 'preact',
          legalComments: 'none',
        })
        Object.assign(metafile?.outputs ?? {}, page.metafile.outputs)
      })
    },
  }
}
