import { dirname, join, resolve } from 'node:path'
import { digestOf } from '../../system/digest.ts'
import { readPlainFile } from '../../system/files.ts'
import { fieldOf, jsonOf } from '../../system/json.ts'
import { userHome } from '../../system/user.ts'
import { look } from '../toolGate/look.ts'
import type { Script } from './file.ts'
import { filesScript, LONGEST } from './recipes.ts'

/** Words with which the scripts of another folder run. */
const ELSEWHERE =
  /^(-[wCFr]|-ws|--(workspaces?|prefix|dir|cwd|filter|recursive|include-workspace-root)|workspaces?|recursive|multi|explore)(=|$)/

/** Files by which a project tells such a program with which shell, or which program, to run it. */
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml']

/** Files that do so for some of them, or fields of a package.json: no older digest has them. */
const MORE_SETTINGS = ['pnpm-workspace.yaml']
const FIELDS = ['packageManager', 'devEngines', 'volta', 'pnpm']

/** Verbs that may run scripts of a package by themselves, also where one has their name. */
const VERBS =
  /^(?:i|in\w*|ci\w*|it|add|pack|publish|version|rebuild|update|up\w*|link|prune|remove|rm|un\w+|deploy|dedupe|exec|x|dlx)$/

/**
 * What a command stands for in a directory: a script of its package.json, or what its files say.
 * Undefined for any other command, `missing` where it stands for something that cannot be told.
 */
export function scriptOf(
  words: readonly string[],
  directory: string,
): Script | 'missing' | undefined {
  const script = ofPackage(words, directory)
  if (script === 'missing' || (script && script.text !== '')) return script
  const files = filesScript(words, directory)
  if (!script || !files || files === 'missing') return files ?? script
  return { ...files, digest: digestOf(Buffer.from(`${script.digest} ${files.digest}`)) }
}

function ofPackage(words: readonly string[], directory: string): Script | 'missing' | undefined {
  const [program = '', verb, second] = words
  if (!/^(npm|pnpm|yarn|bun)$/.test(program)) return undefined
  if (verb === undefined)
    return program === 'yarn' ? packageScript('install', directory, false, true) : undefined
  if (verb.startsWith('-') || words.some((word) => ELSEWHERE.test(word))) return 'missing'
  if (/^(run|run-script|rum|urn)$/.test(verb))
    return second === undefined ? 'missing' : packageScript(second, directory, true)
  if (program === 'bun' && verb === 'test') return undefined
  // Without a script of that name, a word behind these three may be a program.
  if (/^(test|start|stop|restart)$/.test(verb)) return packageScript(verb, directory, true)
  if (program === 'npm' && /^(t|tst)$/.test(verb)) return packageScript('test', directory, true)
  return packageScript(verb, directory, false, program === 'npm' || VERBS.test(verb))
}

/**
 * A script of a package.json, with what it calls by name; for a verb, or a program, all scripts.
 * `needed`: it has to be there; `isVerb`: the name is no script's, whatever scripts there are.
 */
function packageScript(
  name: string,
  directory: string,
  needed: boolean,
  isVerb = false,
): Script | 'missing' {
  const bytes = readIn(directory, 'package.json')
  // The package around this one would be asked.
  if (!Buffer.isBuffer(bytes)) return 'missing'
  const json = jsonOf(bytes.toString('utf8'))
  const scripts = scriptsIn(json)
  const [text, ...around] = [name, `pre${name}`, `post${name}`].map((key) => scripts.get(key))
  if (text === undefined && needed) return 'missing'
  const isScript = text !== undefined && (needed || !isVerb)
  const lines = [text, ...around].flatMap((line) => line ?? [])
  const more = [
    ...MORE_SETTINGS.map((file) => [file, readIn(directory, file)?.toString('latin1')]),
    ...FIELDS.map((field) => [field, fieldOf(json, field)]),
    ...(isScript ? calledBy(lines, scripts) : scripts),
    ...settingsAbove(directory),
  ].filter(([, value]) => value !== undefined)
  const settings = SETTINGS.map((file) => readIn(directory, file)?.toString('latin1'))
  const known = [text, ...around, ...settings].map((one) => one ?? null)
  return {
    text: isScript ? text : '',
    around: isScript ? around.flatMap((one) => one ?? []) : [],
    digest: digestOf(Buffer.from(JSON.stringify([...known, ...more]))),
  }
}

function scriptsIn(json: unknown): Map<string, string> {
  const scripts = fieldOf(json, 'scripts')
  const all = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : []
  return new Map(all.filter((one): one is [string, string] => typeof one[1] === 'string'))
}

/** The scripts that these lines call by name, and those that those call, with what runs around them. */
function calledBy(lines: string[], scripts: Map<string, string>): [string, string][] {
  const found = new Map<string, string>()
  for (let next = lines; next.length > 0; ) {
    const words = new Set(next.flatMap((line) => line.split(/[^\w:.@/-]+/)))
    const isAny = next.some((line) => /[*$`]/.test(line))
    if (words.has('t') || words.has('tst')) words.add('test')
    const more = [...scripts].filter(
      ([key]) =>
        !found.has(key) && (isAny || words.has(key) || words.has(key.replace(/^(pre|post)/, ''))),
    )
    for (const [key, line] of more) found.set(key, line)
    next = more.map(([, line]) => line)
  }
  return [...found]
}

/** What the folders above say to a package of a workspace, up to the user's home. */
function settingsAbove(directory: string): [string, unknown][] {
  const found: [string, unknown][] = []
  const home = userHome()
  for (let at = dirname(directory); at !== home && at !== dirname(at); at = dirname(at)) {
    for (const file of [...SETTINGS, ...MORE_SETTINGS])
      found.push([join(at, file), readIn(at, file)?.toString('latin1')])
    const json = jsonOf(readIn(at, 'package.json')?.toString('utf8') ?? '')
    for (const field of FIELDS) found.push([join(at, field), fieldOf(json, field)])
  }
  return found
}

function readIn(directory: string, name: string) {
  return look(() => readPlainFile(resolve(directory, name), LONGEST))
}
