// Preloaded into a watcher of the soak, with --expose-gc under Node: for each SIGUSR2 a line on file descriptor 3, the bytes that are still in use after a collection.
// The first line says that it listens. Where HEAP_DIRECTORY is set, the lines go to a file there that has the process's number as its name, and a second
// number says how many of the bytes are code that V8 has compiled: a program that runs on has more and more of it optimized, until all of it is.
// The native program does not say that: 0.
import { openSync, writeSync } from 'node:fs'
import * as v8 from 'node:v8'

const { HEAP_DIRECTORY } = process.env
const BUN = /** @type {{ Bun?: { gc: (now: boolean) => void } }} */ (globalThis).Bun
const collect = () => (BUN ? BUN.gc(true) : globalThis.gc?.())
const TELL = HEAP_DIRECTORY ? openSync(`${HEAP_DIRECTORY}/${process.pid}`, 'a') : 3

process.on('SIGUSR2', () => {
  // Some of what is gone is let go of by the first, and collected by the second.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  const code = BUN ? 0 : v8.getHeapCodeStatistics().code_and_metadata_size
  writeSync(TELL, HEAP_DIRECTORY ? `${heapUsed + external} ${code}\n` : `${heapUsed + external}\n`)
})
writeSync(TELL, 'listening\n')
