import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A Node that does nothing but wake twice a minute, as the heartbeat of a worker does. */
const BARE = ['-e', 'setInterval(() => {}, 30_000)']

/** Until what a start has left to do is done. In milliseconds. */
const SETTLE_MS = 30_000

/**
 * The CPU that processes take where nothing is asked of them, beside a Node that does nothing: milliseconds of each in a minute, all its threads together.
 * @param {Record<string, number>} pids @param {number} minutes
 * @returns {Promise<Record<string, number>>}
 */
export async function idleCpu(pids, minutes) {
  const bare = spawn(process.execPath, BARE, { stdio: 'ignore' })
  const all = { ...pids, bare: bare.pid ?? 0 }
  try {
    await sleep(SETTLE_MS)
    const before = cpuOf(all)
    await sleep(minutes * 60_000)
    const after = cpuOf(all)
    return Object.fromEntries(
      Object.keys(all).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / minutes]),
    )
  } finally {
    bare.kill()
  }
}

/** The CPU time of processes so far, in milliseconds: see sched-stats in the documentation of Linux. @param {Record<string, number>} pids */
function cpuOf(pids) {
  const sum = (/** @type {number} */ pid) =>
    readdirSync(`/proc/${pid}/task`).reduce(
      (ms, task) =>
        ms +
        Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
      0,
    )
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, sum(pid)]))
}

/** @param {number} ms */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
