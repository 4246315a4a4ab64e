import { builtin } from './builtin.ts'
import { type Compiled, keepCode, MOST_FILES, openKept } from './codeCache.ts'
import { setHeapFlags, WAITING } from './heapFlags.ts'
import { answerUnread } from './unread.ts'

const { readFileSync, statSync } = builtin('node:fs')
const { Script } = builtin('node:vm')

/** A module of the build while it is loaded, and afterwards. */
type Loaded = { exports: Record<string, unknown>; filename: string; loaded: boolean }

/**
 * Runs a program of the build, with the code that V8 compiled for the same word before. Its files
 * require each other by `./name.js`, and Node's own modules; looking for them as Node does would
 * cost as much as compiling them.
 *
 * What `entry` exports as `words` are the words that are worth keeping code for; its `warm` runs
 * more of what is to be kept, once.
 *
 * It is written in few functions: Node compiles each of them anew at every start, for 20 µs.
 */
export function boot(root: string, entry: string): void {
  const word = process.argv[2] ?? ''
  if (WAITING.includes(word)) setHeapFlags()
  const kept = openKept(root, entry, word)
  const compiled: Compiled[] = []
  let isNew = false
  const modules = new Map<string, Loaded>()
  const load = (file: string): unknown => {
    const known = modules.get(file)
    if (known) return known.exports
    const filename = `${root}/${file}`
    const module: Loaded = { exports: {}, filename, loaded: false }
    modules.set(file, module)
    require.cache[filename] = module as NodeJS.Module
    try {
      // Looked at before it is read: if it is replaced in between, what is kept is kept for a file
      // that is no more.
      const stats = statSync(filename)
      const source = readFileSync(filename, 'utf8')
      const cachedData = kept?.find(stats)
      const script = new Script(
        `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
        cachedData === undefined ? { filename } : { filename, cachedData },
      )
      compiled.push({ stats, script })
      if (script.cachedDataRejected !== false && compiled.length <= MOST_FILES && !isNew) {
        isNew = true
        process.on('exit', keep)
      }
      script.runInThisContext()(module.exports, requireFrom, module, filename, root)
    } catch (error) {
      modules.delete(file)
      throw error
    }
    module.loaded = true
    return module.exports
  }
  const requireFrom = (id: string): unknown =>
    id.startsWith('./') ? load(id.slice(2)) : (builtin(id) ?? require(id))
  const keep = (code: number) => {
    const { words, warm } = modules.get(entry)?.exports ?? {}
    if (code !== 0 || kept === undefined || !Array.isArray(words) || !words.includes(word)) return
    keepCode(kept.path, compiled, typeof warm === 'function' ? () => warm() : undefined)
  }
  try {
    load(entry)
  } catch (error) {
    const hook = entry === 'beforeTool.js' ? 'judge' : 'hook'
    const code = answerUnread(error, entry === 'cli.js' ? 'command' : hook)
    if (code === undefined) throw error
    process.exit(code)
  }
}
