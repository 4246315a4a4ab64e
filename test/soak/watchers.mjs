import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { look } from './processes.mjs'

/**
 * The watchers of all sessions: real `agent-chat watch` processes. Every second one is left alone from the beginning to the end, so that it can be seen
 * whether it grows; the others may be killed, and are started again.
 * @param {string} script
 * @param {import('./home.mjs').SoakHome} home
 */
export function startWatchers(script, { names, env }) {
  const start = (/** @type {string} */ name) => {
    const child = spawn(process.execPath, [script, 'watch', name], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const mine = { name, child, rings: 0, ended: once(child, 'close') }
    child.stdout.on('data', (data) => (mine.rings += String(data).split('\n').length - 1))
    child.stderr.resume()
    return mine
  }
  const watchers = names.map(start)
  let killed = 0
  let rings = 0
  let cpuOfKilled = 0
  return {
    /** What the watchers that are left alone hold together, and the CPU seconds of all. */
    sample: () => {
      const all = watchers.map(({ child }) => look(child.pid))
      const alone = all.filter((_, at) => at % 2 === 0)
      const sum = (/** @type {typeof all} */ some, /** @type {'files' | 'mb' | 'cpu'} */ key) =>
        some.reduce((total, one) => total + (one?.[key] ?? 0), 0)
      return {
        alive: all.filter(Boolean).length,
        alone: alone.length,
        files: sum(alone, 'files'),
        mb: sum(alone, 'mb'),
        cpu: sum(all, 'cpu') + cpuOfKilled,
      }
    },
    /** Kills one of those that may be killed, and starts it again. @param {number} pick @param {boolean} hard */
    killOne: async (pick, hard) => {
      const at = (pick % Math.floor(watchers.length / 2)) * 2 + 1
      const old = watchers[at]
      if (!old) return
      cpuOfKilled += look(old.child.pid)?.cpu ?? 0
      old.child.kill(hard ? 'SIGKILL' : 'SIGTERM')
      await old.ended
      killed += 1
      rings += old.rings
      watchers[at] = start(old.name)
    },
    killed: () => killed,
    rings: () => rings + watchers.reduce((sum, one) => sum + one.rings, 0),
    alive: () => watchers.every(({ child }) => child.exitCode === null && child.signalCode === null),
    stop: async () => {
      for (const { child } of watchers) child.kill('SIGTERM')
      await Promise.all(watchers.map(({ ended }) => ended))
    },
  }
}
