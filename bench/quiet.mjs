import { readFileSync } from 'node:fs'

/** So many looks in a row must find nothing else at work, so far apart, in milliseconds; then the moment is taken for quiet. */
const LOOKS = 3
const LOOK_MS = 3

/** After so long without one, it goes on all the same; and so it does, at once, when all waits of the run have taken so long. In milliseconds. */
const LONGEST_MS = 10_000
const IN_ALL_MS = 10 * 60_000

let waited = 0

/**
 * Waits for a moment in which no other process of this machine wants a processor, so that numbers can be had beside other work. Linux alone tells;
 * elsewhere nothing is waited for.
 */
export function waitForQuiet() {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const start = performance.now()
  const deadline = start + Math.min(LONGEST_MS, IN_ALL_MS - waited)
  for (
    let quiet = 0;
    quiet < LOOKS && performance.now() < deadline;
    quiet = running() <= 1 ? quiet + 1 : 0
  )
    Atomics.wait(cell, 0, 0, LOOK_MS)
  waited += performance.now() - start
}

/** How many processes run or could run now, this one included; 0 where nothing tells. */
function running() {
  if (process.platform !== 'linux') return 0
  return Number(/^procs_running (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0)
}
