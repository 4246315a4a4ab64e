import { readFileSync, readlinkSync } from 'node:fs'
import { unless } from './errno.ts'

const GONE = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']

/** The words that a process was started with; undefined where they cannot be seen. */
export function argumentsOf(pid: number): string[] | undefined {
  if (process.platform === 'linux') {
    const text = unless(GONE, () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    return text?.split('\0').slice(0, -1)
  }
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' })
  return stdout?.trim() ? stdout.trim().split(/\s+/) : undefined
}

/** As `argumentsOf`, where that is a look at a file: on Linux. */
export function argumentsAtHand(pid: number): string[] | undefined {
  return process.platform === 'linux' ? argumentsOf(pid) : undefined
}

/**
 * The first of these variables that a process was started with; null where its environment cannot be
 * read, undefined where it has none of them or is gone. On macOS `ps` shows those of one's own
 * programs, and nothing of Apple's.
 */
export function variableOf(pid: number, names: readonly string[]): string | null | undefined {
  const entries = process.platform === 'linux' ? environOf(pid) : shownEnvironOf(pid)
  if (entries === null) return null
  return names.find((name) => entries.some((entry) => entry.startsWith(`${name}=`)))
}

function environOf(pid: number): string[] | null {
  let hidden = true
  const text = unless(['EACCES', 'EPERM'], () => {
    const found = unless(['ENOENT', 'ESRCH'], () => readFileSync(`/proc/${pid}/environ`, 'utf8'))
    hidden = false
    return found
  })
  return hidden ? null : (text ?? '').split('\0')
}

function shownEnvironOf(pid: number): string[] {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-E', '-ww', '-p', String(pid), '-o', 'command='], {
    encoding: 'utf8',
  })
  return (stdout ?? '').split(/\s+/)
}

/** The user that a process runs as; undefined where that cannot be seen. */
export function userOf(pid: number): number | undefined {
  if (process.platform === 'linux') {
    const text = unless(GONE, () => readFileSync(`/proc/${pid}/status`, 'utf8'))
    const uid = /^Uid:\s+(\d+)/m.exec(text ?? '')?.[1]
    return uid === undefined ? undefined : Number(uid)
  }
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'uid='], { encoding: 'utf8' })
  return stdout?.trim() ? Number(stdout) : undefined
}

/**
 * The variables that a process was started with; undefined where they cannot be seen. What it has
 * set for itself since then is not among them.
 */
export function environmentOf(pid: number): NodeJS.ProcessEnv | undefined {
  if (process.platform !== 'linux') return undefined
  const text = unless(GONE, () => readFileSync(`/proc/${pid}/environ`, 'utf8'))
  if (!text) return undefined
  const env: NodeJS.ProcessEnv = {}
  for (const entry of text.split('\0')) {
    const at = entry.indexOf('=')
    if (at > 0) env[entry.slice(0, at)] = entry.slice(at + 1)
  }
  return env
}

/** The directory of a process; undefined where it cannot be seen. */
export function directoryOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  return unless(GONE, () => readlinkSync(`/proc/${pid}/cwd`))
}
