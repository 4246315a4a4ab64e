import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { unless } from './errno.ts'

/**
 * Asks at the terminal of this process, whatever its standard streams are, and waits for a line: yes
 * only for `y` or `yes`. No where there is no terminal.
 */
export function askHere(question: string): boolean {
  const fd = unless(['ENXIO', 'ENOENT', 'EACCES', 'EIO'], () => openSync('/dev/tty', 'r+'))
  if (fd === undefined) return false
  try {
    writeSync(fd, `${question} [y/N] `)
    const line = Buffer.alloc(256)
    const count = unless(['EOF', 'EIO'], () => readSync(fd, line)) ?? 0
    return /^y(es)?$/i.test(line.toString('utf8', 0, count).trim())
  } finally {
    closeSync(fd)
  }
}
