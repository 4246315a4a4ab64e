import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { peakNow } from './peak.mjs'

/** As long as the processes are left alone, and before that for them to have started. In milliseconds. */
const IDLE_MS = 20_000
const STARTING_MS = 3000

/**
 * Starts those who wait for something to happen, and lets nothing happen: `ms` is the processor time that each has taken meanwhile, in milliseconds.
 * @param {{ directory: string, program: import('./group.mjs').Program, root: string }} plan
 * @returns {Promise<{ name: string, kilobytes: number, ms: number, seconds: number }[]>}
 */
export async function idleWatchers({ directory, program, root }) {
  const file = join(directory, 'watched.md')
  writeFileSync(file, 'as it is\n')
  const env = { ...program.env, AGENT_CHAT_HOME: root }
  const watchers = {
    'watcher of a session': ['watch', 'backend', '--doorbell', 'stdout'],
    'watcher of a file': ['watch-file', file, '--notify', '@backend', '--from', 'frontend', '--foreground'],
  }
  const children = Object.entries(watchers).map(([name, argv]) => {
    const child = spawn(process.execPath, [program.script, ...argv], { env, stdio: 'ignore' })
    return { name, child, pid: child.pid ?? 0 }
  })
  try {
    await pause(STARTING_MS)
    const start = performance.now()
    const before = children.map(({ pid }) => processorMs(pid))
    await pause(IDLE_MS)
    const seconds = (performance.now() - start) / 1000
    return children.map(({ name, pid }, index) => ({
      ...{ name, seconds, kilobytes: peakNow(pid) ?? 0 },
      ms: processorMs(pid) - (before[index] ?? 0),
    }))
  } finally {
    for (const { child } of children) child.kill()
  }
}

/** The processor time that all threads of a process have had, in milliseconds: `stat` would tell in hundredths of a second. @param {number} pid */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}
