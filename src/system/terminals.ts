import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { isErrno, unless } from './errno.ts'
import { userId } from './user.ts'

const BELL = '\u0007'

/** Where terminals stand: `/dev/pts/3`, `/dev/tty2`, `/dev/ttys003` on a Mac. */
const TERMINAL = /^\/dev\/(pts\/\d+|tty[A-Za-z0-9]+)$/

/** Without waiting for a terminal that was stopped, and without making it this process's own. */
const OPEN = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK

/** The path of the terminal that a process runs in, or undefined. */
export function terminalOf(pid: number): string | undefined {
  return process.platform === 'linux' ? terminalInProc(pid) : terminalWithPs(pid)
}

/** Whether this is a terminal, there, and this user's. */
export function isOwnTerminal(path: string): boolean {
  return withOwnTerminal(path, () => true)
}

/** Rings the bell of this user's terminal: one byte, never another. Gives whether it was taken. */
export function ringTerminal(path: string): boolean {
  return withOwnTerminal(path, (fd) => writeSync(fd, BELL) === 1)
}

/** The terminal of the number in `/proc/<pid>/stat` (proc(5), tty_nr; the kernel's devices.txt). */
export function terminalOfNumber(number: number): string | undefined {
  const major = (number >> 8) & 0xfff
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00)
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`
  if (major !== 4) return undefined
  return minor < 64 ? `/dev/tty${minor}` : `/dev/ttyS${minor - 64}`
}

function withOwnTerminal(path: string, use: (fd: number) => boolean): boolean {
  if (!TERMINAL.test(path)) return false
  let fd: number | undefined
  try {
    fd = openSync(path, OPEN)
    const stat = fstatSync(fd)
    return stat.isCharacterDevice() && stat.uid === userId() && isTerminal(fd) && use(fd)
  } catch (error) {
    // Gone, somebody else's, hung up, or stopped with Ctrl-S.
    if (isErrno(error, 'ENOENT', 'ENXIO', 'ENODEV', 'EACCES', 'EPERM', 'EBUSY', 'EIO', 'EAGAIN'))
      return false
    throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** `node:tty` is loaded only where there is something that may be a terminal. */
function isTerminal(fd: number): boolean {
  return process.getBuiltinModule('node:tty').isatty(fd)
}

function terminalInProc(pid: number): string | undefined {
  const stat = unless(['ENOENT', 'ESRCH'], () => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // After the command, which may hold spaces and brackets: state, parent, group, session, terminal.
  return stat && terminalOfNumber(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]))
}

function terminalWithPs(pid: number): string | undefined {
  // Only where there is no /proc: loading it costs a tenth of a start-up.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-o', 'tty=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 500,
  })
  const path = `/dev/${(stdout ?? '').trim()}`
  return TERMINAL.test(path) ? path : undefined
}
