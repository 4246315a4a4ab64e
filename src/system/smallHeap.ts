import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isNative } from './machine.ts'

/** So much may be garbage before it is looked for, in bytes, where nobody says otherwise. */
const SPARE = 2 * 1024 * 1024

/**
 * Keeps the heap of a process small that waits most of its life: V8 would let 50 MB of garbage
 * gather. `tidy` takes a few milliseconds now and then; `end` sets V8's flags back, because code is
 * kept for the next start only under those that it was compiled with. The native program, which is
 * not V8's, is left alone.
 */
export function smallHeap(spare = SPARE): { tidy: () => void; end: () => void } {
  if (isNative()) return { tidy: () => {}, end: () => {} }
  setFlagsFromString('--semi-space-growth-factor=1')
  // It would look for garbage twice more each time that little has happened.
  setFlagsFromString('--no-incremental-marking')
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let least = getHeapStatistics().used_heap_size
  return {
    tidy: () => {
      if (getHeapStatistics().used_heap_size < least + spare) return
      collect()
      least = getHeapStatistics().used_heap_size
    },
    end: () => {
      setFlagsFromString('--semi-space-growth-factor=2')
      setFlagsFromString('--incremental-marking')
      setFlagsFromString('--no-expose-gc')
    },
  }
}
