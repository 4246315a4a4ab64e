import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { summarize } from './stats.mjs'

/**
 * What this disk takes for the part of a send that no program can leave out: a new file synced, two links, a directory synced.
 * In milliseconds.
 * @param {string} directory
 * @param {number} rounds
 */
export function measureDisk(directory, rounds) {
  const archive = join(directory, 'archive')
  const inbox = join(directory, 'inbox')
  mkdirSync(archive, { recursive: true })
  mkdirSync(inbox, { recursive: true })
  const times = Array.from({ length: rounds }, (_, index) => {
    const temporary = join(archive, `.${index}.tmp`)
    const start = process.hrtime.bigint()
    const fd = openSync(temporary, 'wx', 0o600)
    writeSync(fd, 'x'.repeat(400))
    fsyncSync(fd)
    closeSync(fd)
    linkSync(temporary, join(archive, `${index}.md`))
    rmSync(temporary)
    linkSync(join(archive, `${index}.md`), join(inbox, `${index}.md`))
    const names = openSync(inbox, 'r')
    fsyncSync(names)
    closeSync(names)
    return Number(process.hrtime.bigint() - start) / 1e6
  })
  return summarize(times)
}
