import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { leftOut } from '../../../src/testing/leftOut.ts'
import { eventually } from '../harness/poll.ts'
import { carriers } from '../harness/processes.ts'
import { copyPlugin } from './plugin.ts'
import { createStage } from './stage.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const MINUTE = 60_000
/** Shells, all of them: one is the pane's own, one waits for the agent. */
const WAITING = ['launcher', 'launcher', 'watcher']

// A minute of waiting is the measurement itself, so it is not a part of the ordinary run.
const UNLESS = leftOut(!process.env.AGENT_CHAT_E2E_IDLE && 'npm run e2e -- --idle plays it')

test('what a joined session costs in a quiet minute', { timeout: 240_000, ...UNLESS }, async () => {
  const plugin = await copyPlugin(process.env.AGENT_CHAT_E2E_PLUGIN || ROOT)
  const stage = await createStage(plugin, 'auto')
  try {
    await stage.launch()
    await stage.settled()
    const atRest = async () => {
      const found = await ours(stage.world.chat)
      return found.size === WAITING.length ? found : undefined
    }
    const before = await eventually('rest', atRest)
    await delay(MINUTE)
    const after = await ours(stage.world.chat)
    for (const [pid, { what, cpu, rss }] of after) {
      const share = (100 * (cpu - (before.get(pid)?.cpu ?? 0))) / MINUTE
      console.log(`${what}: ${rss.toFixed(1)} MB, ${share.toFixed(3)} % of a core over a minute`)
    }
    // Nothing came or went: neither a hook nor a helper runs beside an idle session.
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
    expect([...after.values()].map(({ what }) => what).sort()).toEqual(WAITING)
  } finally {
    await stage.close()
    await plugin.remove()
  }
})

/** The processes of ours in this world: CPU time in milliseconds, memory in MB. */
async function ours(
  chat: string,
): Promise<Map<number, { what: string; cpu: number; rss: number }>> {
  const found = new Map<number, { what: string; cpu: number; rss: number }>()
  for (const pid of await carriers('AGENT_CHAT_HOME', chat)) {
    const line = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (!line.some((word) => /dist\/(main|hook)\.js$/.test(word))) continue
    const isOf = (mark: string) => line.some((word) => word.includes(mark))
    const what = isOf('@watcher.rest')
      ? 'watcher'
      : isOf('.launch')
        ? 'launcher'
        : line.slice(1).join(' ')
    found.set(pid, { what, cpu: await cpuOf(pid), rss: await rssOf(pid) })
  }
  return found
}

/** The first number of a thread's `schedstat` is its time on a core, in nanoseconds. */
async function cpuOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const times = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
    return Number(text.split(' ')[0]) / 1e6
  })
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

async function rssOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024
}
