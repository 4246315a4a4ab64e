import { type CodeCache, openCodeCache } from './codeCache.ts'
import { setHeapFlags } from './heapFlags.ts'

// `require` does more around Node's own modules, which takes 0.1 ms the first time.
const { readFileSync, statSync } = process.getBuiltinModule('node:fs')
const { Script } = process.getBuiltinModule('node:vm')

/** A module of the build while it is loaded, and afterwards. */
type Loaded = { exports: Record<string, unknown>; filename: string; loaded: boolean }

/**
 * Runs a program of the build, with the code that V8 compiled for the same word before. Its files
 * require each other by `./name.js`, and Node's own modules; looking for them as Node does would
 * cost as much as compiling them.
 *
 * What `entry` exports as `words` are the words that are worth keeping code for; its `warm` runs
 * more of what is to be kept, once.
 */
export function boot(root: string, entry: string): void {
  const word = process.argv[2] ?? ''
  setHeapFlags(word)
  const cache = openCodeCache(root, entry, word)
  const modules = new Map<string, Loaded>()
  const load = (file: string): unknown => {
    const known = modules.get(file)
    if (known) return known.exports
    const module: Loaded = { exports: {}, filename: `${root}/${file}`, loaded: false }
    modules.set(file, module)
    require.cache[module.filename] = module as NodeJS.Module
    try {
      run(module, root, cache, (id) =>
        id.startsWith('./') ? load(id.slice(2)) : (process.getBuiltinModule(id) ?? require(id)),
      )
    } catch (error) {
      modules.delete(file)
      throw error
    }
    module.loaded = true
    return module.exports
  }
  process.on('exit', (code) => {
    const { words, warm } = modules.get(entry)?.exports ?? {}
    if (code !== 0 || !Array.isArray(words) || !words.includes(word)) return
    cache?.keep(typeof warm === 'function' ? () => warm() : undefined)
  })
  load(entry)
}

function run(
  module: Loaded,
  root: string,
  cache: CodeCache | undefined,
  requireFrom: (id: string) => unknown,
): void {
  // Looked at before it is read: if it is replaced in between, what is kept is kept for a file that
  // is no more.
  const stats = statSync(module.filename)
  const source = readFileSync(module.filename, 'utf8')
  const cachedData = cache?.find(stats)
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
    {
      filename: module.filename,
      ...(cachedData === undefined ? {} : { cachedData }),
    },
  )
  cache?.note(stats, script)
  script.runInThisContext()(module.exports, requireFrom, module, module.filename, root)
}
