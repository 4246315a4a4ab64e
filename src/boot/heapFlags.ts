import { builtin } from './builtin.ts'

/** Words whose process lives long, and mostly waits. */
export const WAITING = ['mcp', 'web']

/**
 * `--no-opt`: the optimizing compiler works in threads, each of which keeps 2 MB; a server that
 * waits for its disk is no faster with it. `--no-incremental-marking`: V8 would look for garbage
 * twice more each time that little has happened. `--expose-gc` is for `system/smallHeap.ts`.
 */
const FLAGS = [
  ...['--semi-space-growth-factor=1', '--optimize-for-size'],
  ...['--no-opt', '--no-incremental-marking', '--expose-gc'],
]

/**
 * Tells V8 to keep the heap of this process small; without this, 50 MB of garbage gather. Call it
 * before any file is compiled: V8 uses kept code only under the flags of its compilation.
 */
export function setHeapFlags(): void {
  const { setFlagsFromString } = builtin('node:v8')
  for (const flag of FLAGS) setFlagsFromString(flag)
}
