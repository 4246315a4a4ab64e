import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'

/**
 * Functions that change the file system, and which of their arguments are paths that they change.
 */
const CHANGING = {
  appendFileSync: [0],
  chmodSync: [0],
  copyFileSync: [1],
  linkSync: [1],
  mkdirSync: [0],
  renameSync: [0, 1],
  rmSync: [0],
  rmdirSync: [0],
  symlinkSync: [1],
  truncateSync: [0],
  unlinkSync: [0],
  utimesSync: [0],
  writeFileSync: [0],
} as const

/** What is written, while this is at work, and where. `stop` puts everything back. */
export type Writes = { paths: Set<string>; stop: () => void }

/**
 * Watches every change that this process makes to files by their names, through Node's synchronous
 * functions.
 */
export function watchWrites(): Writes {
  const paths = new Set<string>()
  const note = (...named: unknown[]) => {
    for (const path of named)
      if (typeof path === 'string' && !path.includes('\0')) paths.add(resolve(path))
  }
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>
  const before = Object.keys(CHANGING)
    .concat('openSync')
    .map((name) => [name, functions[name]] as const)
  for (const [name, at] of Object.entries(CHANGING))
    wrap(name, (args) => note(...at.map((index) => args[index])))
  wrap('openSync', (args) => (isReading(args[1]) ? undefined : note(args[0])))
  syncBuiltinESMExports()
  return {
    paths,
    stop: () => {
      for (const [name, original] of before) if (original) functions[name] = original
      syncBuiltinESMExports()
    },
  }

  function wrap(name: string, look: (args: unknown[]) => void): void {
    const original = functions[name]
    if (!original) throw new Error(`node:fs has no ${name}`)
    functions[name] = (...args) => {
      look(args)
      return original(...args)
    }
  }
}

function isReading(flags: unknown): boolean {
  const { O_ACCMODE = 3, O_RDONLY, O_CREAT } = fs.constants as Record<string, number>
  if (typeof flags === 'number')
    return (flags & O_ACCMODE) === O_RDONLY && (flags & (O_CREAT ?? 0)) === 0
  return flags === undefined || flags === 'r'
}
