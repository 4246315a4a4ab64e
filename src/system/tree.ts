import { readdirSync, readFileSync } from 'node:fs'
import { unless } from './errno.ts'
import type { Processes, ProcessRef } from './processes.ts'
import { timeLeft } from './timeLeft.ts'

/** How often a process that was asked to end is looked at, in milliseconds. */
const LOOK_MS = 20

/** The processes below one, whatever groups and sessions they have made of their own. */
export function treeBelow(processes: Pick<Processes, 'all'>, pid: number): ProcessRef[] {
  const all = processes.all()
  const found: ProcessRef[] = []
  const open = [pid]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const info of all)
      if (info.parent === at) {
        found.push({ pid: info.pid, started: info.started })
        open.push(info.pid)
      }
  return found
}

/**
 * The processes whose environment has all of these variables, as they were when each of them began:
 * what a killed process had started is found by it, whoever its parent is by now. None where there
 * is no /proc.
 */
export function carriersOf(
  processes: Pick<Processes, 'find' | 'self'>,
  variables: Record<string, string>,
): ProcessRef[] {
  const wanted = Object.entries(variables).map(([key, value]) => `${key}=${value}`)
  const pids = (unless(['ENOENT'], () => readdirSync('/proc')) ?? []).filter((entry) =>
    /^\d+$/.test(entry),
  )
  return pids.flatMap((pid) => {
    const environment = unless(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'], () =>
      readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'),
    )
    if (!environment || !wanted.every((variable) => environment.includes(variable))) return []
    const info = processes.find(Number(pid))
    if (!info || info.pid === processes.self().pid) return []
    return [{ pid: info.pid, started: info.started }]
  })
}

/** Ends these processes: asks each one, and kills what is still there after `graceMs`. */
export async function endProcesses(
  processes: Pick<Processes, 'isAlive' | 'signal'>,
  refs: readonly ProcessRef[],
  graceMs: number,
): Promise<void> {
  for (const ref of refs) processes.signal(ref, 'SIGTERM')
  if (await areGone(processes, refs, graceMs)) return
  for (const ref of refs) processes.signal(ref, 'SIGKILL')
  await areGone(processes, refs, graceMs)
}

/** Whether all of these have ended within so many milliseconds. */
export async function areGone(
  processes: Pick<Processes, 'isAlive'>,
  refs: readonly ProcessRef[],
  limitMs: number,
): Promise<boolean> {
  for (const left = timeLeft(limitMs); ; ) {
    if (!refs.some((ref) => processes.isAlive(ref))) return true
    if (left() <= 0) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
