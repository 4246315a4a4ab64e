import { readdir, readFile } from 'node:fs/promises'
import { eventually } from './poll.ts'

/**
 * Ends every process whose environment holds exactly `key=value`: SIGTERM, and SIGKILL for what is
 * still there 5 s later. A value that only this run can have (a temporary directory) makes this
 * safe. Does nothing where there is no /proc: there, what a test starts must end with its tmux
 * server.
 */
export async function endProcesses(key: string, value: string): Promise<void> {
  const gone = () => carriers(key, value).then((pids) => pids.length === 0)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of await carriers(key, value)) kill(pid, signal)
    if (await eventually('the processes to end', gone, { timeoutMs: 5_000 }).catch(() => false))
      return
  }
}

/** The processes whose environment holds exactly `key=value`, this one excepted. */
export async function carriers(key: string, value: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number)
  const carries = await Promise.all(
    pids.map(async (pid) => {
      const env = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      return env.split('\0').includes(`${key}=${value}`)
    }),
  )
  return pids.filter((pid, index) => carries[index] && pid !== process.pid)
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Kills all of these at once, as a power cut does: none of them is told. Waits until they are gone. */
export async function killAtOnce(pids: readonly number[]): Promise<void> {
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  for (const pid of pids) kill(pid, 'SIGKILL')
  await eventually('all to end', () => !pids.some(isAlive))
}

/** A process and all below it, the top first. */
export async function treeOf(top: number): Promise<number[]> {
  const entries = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
  const parents = new Map<number, number>()
  for (const pid of entries) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent !== undefined) parents.set(pid, Number(parent))
  }
  const isBelow = (pid: number): boolean =>
    pid === top || (pid > 1 && isBelow(parents.get(pid) ?? 0))
  return [top, ...[...parents.keys()].filter((pid) => pid !== top && isBelow(pid))]
}
