// Preloaded into a watcher of the soak, with --expose-gc: for each SIGUSR2 a line on file descriptor 3, the bytes that are still in use after a collection.
// The first line says that it listens. Where HEAP_DIRECTORY is set, the lines go to a file there that has the process's number as its name.
import { openSync, writeSync } from 'node:fs'

const { HEAP_DIRECTORY } = process.env
const TELL = HEAP_DIRECTORY ? openSync(`${HEAP_DIRECTORY}/${process.pid}`, 'a') : 3

process.on('SIGUSR2', () => {
  // Some of what is gone is let go of by the first, and collected by the second.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  writeSync(TELL, `${heapUsed + external}\n`)
})
writeSync(TELL, 'listening\n')
