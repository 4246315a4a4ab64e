import { readFileSync } from 'node:fs'
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

/** Whether a process was started with one of these variables; false where that cannot be seen. */
export function hasVariable(pid: number, names: readonly string[]): boolean {
  if (process.platform !== 'linux') return false
  const text = unless(GONE, () => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? ''
  return text.split('\0').some((entry) => names.includes(entry.slice(0, entry.indexOf('='))))
}
