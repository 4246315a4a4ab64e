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
