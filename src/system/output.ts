import { fstatSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { unless } from './errno.ts'
import { isNullDevice } from './terminal.ts'

/** A pipe, by what is the same at both of its ends. */
export type PipeEnd = { dev: number; ino: number }

/** Whether nobody gets what is written here: the null device, which Node also puts in for `>&-`. */
export function isNowhere(fd: number): boolean {
  const stat = unless(['EBADF'], () => fstatSync(fd))
  return stat === undefined || isNullDevice(stat)
}

/** The pipe that is written to here. A socket, as Node gives its children, is none. */
export function pipeAt(fd: number): PipeEnd | undefined {
  const stat = unless(['EBADF'], () => fstatSync(fd))
  return stat?.isFIFO() ? stat : undefined
}

/** What a process of another user, or one that ends meanwhile, answers. */
const UNSEEN = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']

/**
 * The descriptors at which a process reads this pipe: proc(5), where the link of one that is open
 * for reading may be read. None where that cannot be seen, as without /proc.
 */
export function readsAt(pid: number, { dev, ino }: PipeEnd): number[] {
  const folder = `/proc/${pid}/fd`
  const isReader = (fd: string) => {
    const open = unless(UNSEEN, () => statSync(`${folder}/${fd}`))
    if (open?.ino !== ino || open.dev !== dev) return false
    const link = unless(UNSEEN, () => lstatSync(`${folder}/${fd}`))
    return link !== undefined && (link.mode & 0o400) !== 0
  }
  return (unless(UNSEEN, () => readdirSync(folder)) ?? []).filter(isReader).map(Number)
}
