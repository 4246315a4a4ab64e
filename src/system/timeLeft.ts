/**
 * Begins a wait of so many milliseconds, and gives how many of them are left; 0 or less when it is
 * over. By the clock that nobody sets: a wait is not longer, nor shorter, because the time of day
 * was changed.
 */
export function timeLeft(ms: number): () => number {
  const began = process.hrtime()
  return () => {
    const [seconds, nanoseconds] = process.hrtime(began)
    return ms - (seconds * 1000 + nanoseconds / 1e6)
  }
}

/** Waits without giving up the thread: for what has nothing else to do. In milliseconds. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
