import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isErrno } from './errno.ts'
import { isThere, makeDirectory, replaceFileSoon } from './files.ts'
import type { ProcessRef } from './processes.ts'

/** The process that a pid file names, or undefined; whether it still runs is another question. */
export function readPidFile(path: string): ProcessRef | undefined {
  if (!isThere(path)) return undefined
  try {
    const [pid = '', started = ''] = readFileSync(path, 'utf8').split('\n')
    return /^\d{1,10}$/.test(pid) && started !== '' ? { pid: Number(pid), started } : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Makes the file name this process, with what else its kind of file says. */
export function writePidFile(path: string, { pid, started }: ProcessRef, more = ''): void {
  makeDirectory(dirname(path))
  replaceFileSoon(path, `${pid}\n${started}\n${more}`)
}

/** Removes the file if it names this process. */
export function dropPidFile(path: string, ref: ProcessRef): void {
  const current = readPidFile(path)
  if (current?.pid === ref.pid && current.started === ref.started) rmSync(path, { force: true })
}
