import { basename, dirname, join } from 'node:path'
import type { OutputFile } from 'esbuild'
import type { Plugin } from './plugins.mts'

/** The programs that hooks run. V8 reads the whole of one at every hook. */
const PROGRAMS = ['hooks.js', 'beforeTool.js', 'afterTool.js']

/** The class of a home's places (`src/bus/home.ts`), minified. */
const PLACES =
  /(class\{root;constructor\((\w+)\)\{this\.root=\2\})((?:(?:get )?\w+\([\w,]*\)\{return`\$\{this\.root\}[^`]*`\})+)(?=\})/
const PLACE = /(?:get )?(\w+)\([\w,]*\)\{return`[^`]*`\}/g

/**
 * Makes hooks start faster. A bundler keeps every member of a class, so this takes the places of a
 * home out of a hook's program that neither the program nor the files it loads name. It also writes
 * `hook.js` once more as `hook.cjs`: for a `.js`, Node looks for a package.json, which takes 0.4 ms.
 * Hooks that an earlier version has set up still run `hook.js`.
 */
export function hookFiles(): Plugin {
  return {
    name: 'hook-files',
    setup(build) {
      build.onEnd(({ outputFiles: files = [] }) => {
        for (const [at, file] of files.entries()) {
          if (PROGRAMS.includes(basename(file.path))) files[at] = withoutPlaces(file, files)
          if (basename(file.path) === 'hook.js')
            files.push({ ...file, path: file.path.replace(/\.js$/, '.cjs') })
        }
      })
    },
  }
}

function withoutPlaces(file: OutputFile, files: readonly OutputFile[]): OutputFile {
  const [whole, head, , places] = PLACES.exec(file.text) ?? []
  if (whole === undefined || head === undefined || places === undefined)
    throw new Error(`${file.path} has no class of places any more: look again at how it is found`)
  const texts = [file.text.replace(whole, ''), ...loadedBy(file, files)].join('\n')
  const named = new Set([...texts.matchAll(/[.{,](\w+)/g)].map(([, name]) => name))
  const kept = places.replaceAll(PLACE, (place, name) => (named.has(name) ? place : ''))
  const text = file.text.replace(whole, () => head + kept)
  return { ...file, text, contents: Buffer.from(text) }
}

/** The texts of all that a file may load from `dist/`, and what that loads. */
function loadedBy(file: OutputFile, files: readonly OutputFile[]): string[] {
  const found = new Set([file])
  for (const { path, text } of found)
    for (const [, name = ''] of text.matchAll(/require\("\.\/([\w-]+\.js)"\)/g)) {
      const other = files.find((one) => one.path === join(dirname(path), name))
      if (other) found.add(other)
    }
  found.delete(file)
  return [...found].map(({ text }) => text)
}
