import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { digestOf } from '../../system/digest.ts'
import { readPlainFile } from '../../system/files.ts'
import { look } from '../toolGate/look.ts'
import type { Script } from './file.ts'
import { bareCheck } from './operands.ts'

/** Longer than a file of scripts, in bytes. */
export const LONGEST = 4 * 1024 * 1024

/**
 * Programs of which a file says what their words do. `takes`: the lines by which it takes in files
 * that it names, as seen from where make runs, or from the file itself; behind any name that is not
 * plain, and where `unclear` finds something, nobody can tell. `strict`: other words give it files.
 */
type Recipe = { files: string; takes?: RegExp; unclear?: RegExp; beside?: true; strict?: true }

const RECIPES: Record<string, Recipe> = {
  make: {
    files: 'GNUmakefile makefile Makefile',
    ...{ takes: /^ *(?:[-s]?include)\s(.*)/gm, strict: true },
  },
  just: {
    files: 'justfile Justfile .justfile',
    ...{ takes: /^import\??\s(.*)/gm, unclear: /^(?:mod\b|!|set +fallback)/m },
    ...{ beside: true, strict: true },
  },
  task: {
    files: 'Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml Taskfile.dist.yml',
    unclear: /^includes:/m,
  },
  composer: { files: 'composer.json' },
  'deno task': { files: 'deno.json deno.jsonc package.json' },
  grunt: { files: 'Gruntfile.js Gruntfile.cjs' },
  gulp: { files: 'gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts' },
  inv: { files: 'tasks.py' },
  invoke: { files: 'tasks.py' },
  nox: { files: 'noxfile.py' },
  rake: { files: 'rakefile Rakefile rakefile.rb Rakefile.rb' },
  tox: { files: 'tox.ini setup.cfg pyproject.toml tox.toml' },
}
/** Programs that run a file that they are given. */
const RUN_FILES =
  /^(?:node|nodejs|python|pypy|ruby|perl|php|lua|luajit|Rscript|tclsh|tsx|ts-node|zx|jiti|esno|vite-node|julia|groovy|scala|elixir|racket|guile|runghc)[\d.]*$/
/** Programs that do so, and have verbs as well. */
const MAY_RUN_FILES = /^(?:deno|bun|go)$/
/** With these no file is run. */
const RUN_NONE = /^(?:-m|--test|--version|-[vV])$/
/** What runs the program behind it. */
const FORWARDS =
  /^(?:(?:npx|bunx|uvx)|(?:pnpm|bundle) exec|yarn(?: exec)?|(?:uv|poetry|pipenv|pdm|rye|hatch|pixi) run) /

/**
 * What a command stands for, where that is in files of the directory: a target of its makefile, the
 * program, or the code that one runs. Undefined for any other command, `missing` where nobody can tell.
 */
export function filesScript(
  words: readonly string[],
  directory: string,
): Script | 'missing' | undefined {
  const names = filesOf(words, directory)
  if (names === 'missing' || names === undefined) return names
  const all = names.map((name): [string, unknown] => [name, read(name, directory)])
  if (all.some(([, bytes]) => bytes !== undefined && !Buffer.isBuffer(bytes))) return 'missing'
  const [first, ...more] = all
  if (first === undefined) return undefined
  const isRun = recipeOf(behind(words)) || words[0]?.includes('/')
  const texts = all.map(([name, bytes]) => [name, bytes?.toString() ?? null])
  const [, bytes] = first
  return {
    // What code does is not known: it may bring other files.
    text: isRun ? resolve(directory, first[0]) : '',
    around: [],
    digest: digestOf(
      more.length === 0 && Buffer.isBuffer(bytes) ? bytes : Buffer.from(JSON.stringify(texts)),
    ),
  }
}

/** The files that a command stands for. */
function filesOf(words: readonly string[], directory: string): string[] | 'missing' | undefined {
  const isHere = (name: string) => read(name, directory) !== undefined
  const run = behind(words)
  const [program = '', verb] = run
  const recipe = recipeOf(run)
  if (recipe) {
    const files = recipe.files.split(' ').filter(isHere)
    const isUnclear = recipe.strict && run.slice(1).some((word) => /^-|=/.test(word))
    return files.length === 0 || isUnclear ? 'missing' : withTaken(files, recipe, directory)
  }
  const module = /^[\w.]+$/.exec(run[run.indexOf('-m') + 1] ?? '')?.[0].replaceAll('.', '/')
  const modules = run.includes('-m') && module ? [`${module}.py`, `${module}/__main__.py`] : []
  const loaded = modules.filter(isHere)
  if (loaded.length > 0 || bareCheck(words)) return loaded
  const isFile = (word: string) => look(() => statSync(resolve(directory, word)))?.isFile()
  const named = run.filter(isFile)
  const mustRun =
    program.includes('/') ||
    (RUN_FILES.test(program) && !run.some((word) => RUN_NONE.test(word))) ||
    (program === 'deno' && verb === 'run')
  if (mustRun)
    return named.length === 0 || (program.includes('/') && named[0] !== program) ? 'missing' : named
  const runs = RUN_FILES.test(program) || MAY_RUN_FILES.test(program)
  // Behind an option of what runs it, any word may be the file.
  const isForwarded = run !== words && (program.startsWith('-') || named[0] === program)
  return runs || isForwarded ? named : undefined
}

/** The words behind a program that runs them. */
function behind(words: readonly string[]): readonly string[] {
  const taken = FORWARDS.exec(`${words.join(' ')} `)?.[0]
    .trim()
    .split(' ').length
  return taken === undefined ? words : words.slice(taken)
}

function recipeOf([program = '', verb = '']: readonly string[]) {
  const name = [`${program} ${verb}`, program].find((one) => Object.hasOwn(RECIPES, one))
  return name === undefined ? undefined : RECIPES[name]
}

/** These files, and those that they take in. */
function withTaken(files: string[], recipe: Recipe, directory: string): string[] | 'missing' {
  const all = [...files]
  for (const file of all) {
    const text = read(file, directory)?.toString() ?? ''
    if (recipe.unclear?.test(text)) return 'missing'
    const lines = recipe.takes ? [...text.matchAll(recipe.takes)] : []
    for (const name of lines.flatMap(
      ([, line = '']) => line.replace(/#.*/, '').match(/\S+/g) ?? [],
    )) {
      const plain = /^(['"]?)([\w./-]+)\1$/.exec(name)?.[2]
      if (plain === undefined) return 'missing'
      const path = recipe.beside ? join(dirname(file), plain) : plain
      if (!all.includes(path)) all.push(path)
    }
  }
  return all
}

function read(name: string, directory: string) {
  return look(() => readPlainFile(resolve(directory, name), LONGEST))
}
