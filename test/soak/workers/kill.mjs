import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isClient, isSupervisor, isWorker } from './place.mjs'

/** Of ten kills: so many of a client, of the supervisor; the others of a worker. */
const OF_TEN = { client: 2, supervisor: 2 }

/**
 * Kills one of them after the other until it is stopped. A supervisor that was killed is started again a moment later.
 * @param {{ place: import('./place.mjs').Place, names: string[], random: () => number, pauseMs: number }} run
 */
export function killOnAndOn({ place, names, random, pauseMs }) {
  const killed = { worker: 0, client: 0, supervisor: 0 }
  /** @type {string[]} */
  const wrong = []
  let over = false
  const kill = async () => {
    while (!over) {
      await pause(random() * pauseMs)
      const dice = random() * 10
      const kind =
        dice < OF_TEN.client
          ? 'client'
          : dice < OF_TEN.client + OF_TEN.supervisor
            ? 'supervisor'
            : 'worker'
      const is = { client: isClient, supervisor: isSupervisor, worker: isWorker }[kind]
      const running = place.processes()
      wrong.push(...doubles(running.filter(isClient)))
      const those = running.filter(is)
      const one = those[Math.floor(random() * those.length)]
      if (!one) continue
      if (end(one.pid)) killed[kind] += 1
      if (kind !== 'supervisor') continue
      await pause(random() * pauseMs)
      await place.run('up', names[0] ?? '')
    }
  }
  const killing = kill()
  return {
    stop: async () => {
      over = true
      await killing
      return { ...killed, wrong }
    },
  }
}

/** Two clients on one conversation, both there when looked at again. @param {import('./place.mjs').Running[]} clients */
function doubles(clients) {
  const conversationOf = (/** @type {string[]} */ args) =>
    args[Math.max(args.indexOf('--resume'), args.indexOf('--session-id')) + 1]
  const seen = new Map()
  const pids = new Set(clients.map(({ pid }) => pid))
  return clients.flatMap(({ pid, args }) => {
    const conversation = conversationOf(args)
    const other = seen.get(conversation)
    seen.set(conversation, pid)
    // Between its fork and its exec a child of a client looks like the client itself.
    const both = other !== undefined && [other, pid].every(isThere) && !pids.has(parentOf(pid))
    return both ? [`two clients on conversation ${conversation}`] : []
  })
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

/** @param {number} pid */
function isThere(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @param {number} pid */
function end(pid) {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
