import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { mean } from './growth.mjs'
import { lineReader, look } from './processes.mjs'

/** What makes a watcher tell what it holds. */
const TELLS_HEAP = ['--expose-gc', '--import', join(import.meta.dirname, 'heap.mjs')]

/**
 * The watchers of all sessions: real `agent-chat watch` processes. Every second one is left alone from the beginning to the end, so that it can be seen
 * whether it grows; the others may be killed, and are started again. Those left alone collect their garbage when they are asked what they hold.
 * @param {string} script
 * @param {import('./home.mjs').SoakHome} home
 */
export function startWatchers(script, { names, env }) {
  const start = (/** @type {string} */ name, /** @type {string[]} */ flags = []) =>
    startWatcher([...flags, script, 'watch', name], { name, env })
  const isAlone = (/** @type {unknown} */ _, /** @type {number} */ at) => at % 2 === 0
  const watchers = names.map((name, at) => start(name, isAlone(name, at) ? TELLS_HEAP : []))
  let killed = 0
  let rings = 0
  let cpuOfKilled = 0
  return {
    /** What the watchers that are left alone hold together, and the CPU seconds of all. */
    sample: () => {
      const all = watchers.map(({ child }) => look(child.pid))
      const alone = all.filter(isAlone)
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
    /** What one that is left alone still holds when its garbage is collected, in MB. */
    heap: async () => {
      const held = await Promise.all(watchers.filter(isAlone).map(heapOf))
      return mean(held.filter((one) => one !== undefined).map(Number)) / 2 ** 20
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
    alive: () =>
      watchers.every(({ child }) => child.exitCode === null && child.signalCode === null),
    stop: async () => {
      for (const { child } of watchers) child.kill('SIGTERM')
      await Promise.all(watchers.map(({ ended }) => ended))
    },
  }
}

/** @param {string[]} argv @param {{ name: string, env: NodeJS.ProcessEnv }} whose */
function startWatcher(argv, { name, env }) {
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const told = lineReader(/** @type {import('node:stream').Readable} */ (child.stdio[3]))
  const listening = argv.includes('--expose-gc') ? told() : undefined
  const mine = { name, child, rings: 0, ended: once(child, 'close'), listening, told }
  child.stdout?.on('data', (data) => (mine.rings += String(data).split('\n').length - 1))
  child.stderr?.resume()
  return mine
}

/** What a watcher holds when its garbage is collected, in bytes; undefined where it has ended. @param {ReturnType<typeof startWatcher>} watcher */
async function heapOf({ child, listening, told }) {
  // Before it listens, the signal would end it.
  if ((await listening) === undefined) return undefined
  child.kill('SIGUSR2')
  return told()
}
