import { getHeapStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** So much may be garbage before it is looked for, in bytes, where nobody says otherwise. */
const SPARE = 2 * 1024 * 1024

/**
 * Keeps the heap of a process small that waits most of its life, with the flags that
 * `boot/heapFlags.ts` has set. Call what it gives when there is time: it takes a few milliseconds
 * now and then. Without the flags it does nothing.
 */
export function smallHeap(spare = SPARE): () => void {
  const collect: unknown = runInNewContext('globalThis.gc')
  if (typeof collect !== 'function') return () => {}
  let least = getHeapStatistics().used_heap_size
  return () => {
    if (getHeapStatistics().used_heap_size < least + spare) return
    collect()
    least = getHeapStatistics().used_heap_size
  }
}
