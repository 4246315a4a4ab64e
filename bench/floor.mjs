import { closeSync, fsyncSync, linkSync, openSync, writeSync } from 'node:fs'

/** As long as the file of a short message. */
const TEXT = 'x'.repeat(520)

let next = 0

/**
 * The least that a send can be on a disk: a file created, written and synced, linked to where it is looked for, and the directory of that link synced.
 * Both directories are those of the send beside it: disks are not equally fast everywhere. The names begin with a dot, which readers pass over.
 * @param {string} archive
 * @param {string} inbox
 */
export function floorSend(archive, inbox) {
  next += 1
  const name = `/.floor-${process.pid}-${next}`
  const file = openSync(archive + name, 'wx', 0o600)
  writeSync(file, TEXT)
  fsyncSync(file)
  closeSync(file)
  linkSync(archive + name, inbox + name)
  const directory = openSync(inbox, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
