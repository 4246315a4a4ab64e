import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openConsole } from './consolePane.mjs'
import { peakNow } from './peak.mjs'
import { summarize } from './stats.mjs'

/**
 * So often it is looked how much they have taken, so long apart: longer than the console's looks, which are 5 s apart. And as long as they may take to start.
 * In milliseconds.
 */
const SPANS = 5
const SPAN_MS = 5500
const STARTING_MS = 3000

/** As long as they are left alone in all, in seconds. */
export const IDLE_SECONDS = (SPANS * SPAN_MS) / 1000

/**
 * Starts those who wait for something to happen, and lets nothing happen: `load` is the processor time that each takes meanwhile, in milliseconds of a second.
 * @param {{ directory: string, program: import('./group.mjs').Program, root: string }} plan
 * @returns {Promise<{ name: string, kilobytes: number, load: import('./stats.mjs').Summary }[]>}
 */
export async function idleWaiters({ directory, program, root }) {
  const file = join(directory, 'watched.md')
  writeFileSync(file, 'as it is\n')
  const env = { ...program.env, AGENT_CHAT_HOME: root }
  const watchers = {
    'watcher of a session': ['watch', 'backend', '--doorbell', 'stdout'],
    'watcher of a file': [
      'watch-file',
      file,
      '--notify',
      '@backend',
      '--as',
      'frontend',
      '--foreground',
    ],
  }
  const room = await openConsole({ directory, script: program.script, env })
  const children = Object.entries(watchers).map(([name, argv]) => {
    const child = spawn(process.execPath, [program.script, ...argv], { env, stdio: 'ignore' })
    return { name, child, pid: child.pid ?? 0 }
  })
  const console = room ? [{ name: 'console, in a pane', pid: room.pid }] : []
  try {
    await pause(STARTING_MS)
    return await loads([...children, ...console])
  } finally {
    for (const { child } of children) child.kill()
    room?.close()
  }
}

/** @param {{ name: string, pid: number }[]} waiters */
async function loads(waiters) {
  const look = () => ({ at: performance.now(), ms: waiters.map(({ pid }) => processorMs(pid)) })
  const looks = [look()]
  for (let span = 0; span < SPANS; span += 1) {
    await pause(SPAN_MS)
    looks.push(look())
  }
  return waiters.map(({ name, pid }, index) => {
    const taken = looks.slice(1).map(({ at, ms }, span) => {
      const before = looks[span]
      return (((ms[index] ?? 0) - (before?.ms[index] ?? 0)) * 1000) / (at - (before?.at ?? 0))
    })
    return { name, kilobytes: peakNow(pid) ?? 0, load: summarize(taken) }
  })
}

/** The processor time that all threads of a process have had, in milliseconds: `stat` would tell in hundredths of a second. @param {number} pid */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}
