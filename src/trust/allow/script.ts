import { resolve } from 'node:path'
import { digestOf } from '../../system/digest.ts'
import { readPlainFile } from '../../system/files.ts'
import { fieldOf, jsonOf } from '../../system/json.ts'
import { look } from '../toolGate/look.ts'

/**
 * What a command stands for. `text`: the line of a package.json, or the path of the file; empty
 * where there is no such line. `around`: the lines that run before and after that one.
 */
export type Script = { text: string; around: string[]; digest: string }

/** Longer than a file of scripts, in bytes. */
const LONGEST = 4 * 1024 * 1024

/** Options with which the scripts of another folder run. */
const ELSEWHERE =
  /^(-[wCFr]|--(workspaces?|prefix|dir|cwd|filter|recursive|include-workspace-root))(=|$)/

/** Files by which a project tells such a program with which shell, or which program, to run it. */
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml']

/** Files that do so for some of them, or fields of a package.json: no older digest has them. */
const MORE_SETTINGS = ['pnpm-workspace.yaml']
const FIELDS = ['packageManager', 'devEngines', 'volta', 'pnpm']

/** Programs that run a file that they are given. */
const RUN_FILES =
  /^(?:node|nodejs|python|pypy|ruby|perl|php|lua|luajit|Rscript|tclsh|tsx|ts-node|julia|groovy|scala)[\d.]*$/

/** Files of which the first one that is there says what a target does. */
const FILES: Record<string, string[]> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
}

/**
 * What a command stands for in a directory: a script of its package.json, a target of its makefile,
 * a program, or the code of an interpreter, that is one of its files. Undefined for any other command, `missing` where it stands
 * for something that cannot be told.
 */
export function scriptOf(
  words: readonly string[],
  directory: string,
): Script | 'missing' | undefined {
  const [program = '', first, second] = words
  if (program.includes('/')) return fileScript(resolve(directory, program))
  const files = Object.hasOwn(FILES, program) ? FILES[program] : undefined
  if (files) {
    const paths = files.map((name) => resolve(directory, name))
    const path = paths.find((one) => look(() => readPlainFile(one, 0)) !== undefined)
    if (path === undefined || words.slice(1).some((word) => /^-|=/.test(word))) return 'missing'
    return fileScript(path)
  }
  if (RUN_FILES.test(program) || (program === 'deno' && first === 'run'))
    return codeFile(words.slice(program === 'deno' ? 2 : 1), directory)
  if (!/^(npm|pnpm|yarn|bun)$/.test(program) || first === undefined) return undefined
  if (first.startsWith('-') || words.some((word) => ELSEWHERE.test(word))) return 'missing'
  if (/^(run|run-script|rum|urn)$/.test(first))
    return second === undefined ? 'missing' : packageScript(second, directory, true)
  if (program === 'bun' && first === 'test') return undefined
  const isNamed = /^(test|start|stop|restart)$/.test(first)
  // Without a script of that name, a word behind these three may be a program.
  if (program !== 'npm' || isNamed) return packageScript(first, directory, isNamed)
  return /^(t|tst)$/.test(first) ? packageScript('test', directory, true) : undefined
}

/** The file that an interpreter runs. `-m` names a module, and node's tests are no one file. */
function codeFile(words: readonly string[], directory: string): Script | 'missing' | undefined {
  for (const word of words) {
    if (/^(-m|--test|--version|-[vV])$/.test(word)) return undefined
    const script = word.startsWith('-') ? 'missing' : fileScript(resolve(directory, word))
    // What it does is not known: it may bring other files.
    if (script !== 'missing') return { ...script, text: '' }
  }
  return 'missing'
}

function packageScript(name: string, directory: string, needed: boolean): Script | 'missing' {
  const bytes = look(() => readPlainFile(resolve(directory, 'package.json'), LONGEST))
  const json = Buffer.isBuffer(bytes) ? jsonOf(bytes.toString('utf8')) : undefined
  const scripts = fieldOf(json, 'scripts')
  // The package around this one would be asked.
  if (!Buffer.isBuffer(bytes)) return 'missing'
  const [text, ...around] = [name, `pre${name}`, `post${name}`].map((key) => ownText(scripts, key))
  if (text === undefined && needed) return 'missing'
  const read = (file: string) =>
    look(() => readPlainFile(resolve(directory, file), LONGEST))?.toString('latin1')
  const more = [
    ...MORE_SETTINGS.map((file) => [file, read(file)]),
    ...FIELDS.map((field) => [field, fieldOf(json, field)]),
  ].filter(([, value]) => value !== undefined)
  const known = [text, ...around, ...SETTINGS.map(read)].map((one) => one ?? null)
  const all = JSON.stringify([...known, ...more])
  return {
    text: text ?? '',
    around: around.flatMap((one) => one ?? []),
    digest: digestOf(Buffer.from(all)),
  }
}

function ownText(scripts: unknown, key: string): string | undefined {
  const is = typeof scripts === 'object' && scripts !== null && Object.hasOwn(scripts, key)
  const value = is ? fieldOf(scripts, key) : undefined
  return typeof value === 'string' ? value : undefined
}

function fileScript(path: string): Script | 'missing' {
  const bytes = look(() => readPlainFile(path, LONGEST))
  return Buffer.isBuffer(bytes) ? { text: path, around: [], digest: digestOf(bytes) } : 'missing'
}
