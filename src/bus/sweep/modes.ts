import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureHome } from '../home.ts'
import { entriesOf, statOf } from './entries.ts'
import { note, type Sweep } from './finding.ts'

/** Makes the home's directories where they are missing, and what is in them readable by its owner alone. Follows no link. */
export async function sweepModes(sweep: Sweep): Promise<void> {
  const { home } = sweep.bus
  const directories = [home.messages, home.inboxes, home.bells, home.pids, home.states, home.logs]
  // Directories that a home may do without.
  const others = [home.held, home.gates, home.threads, home.tasks, home.asks, home.escalations, home.watched]
  const missing = directories.filter((path) => statOf(path) === undefined)
  if (missing.length > 0) await note(sweep, 'missing-directory', { paths: missing }, () => ensureHome(home))
  const wrong = [
    ...((statSync(home.root).mode & 0o777) === 0o700 ? [] : [home.root]),
    ...[home.sessions, home.names, home.history, home.paused].filter(isWrong),
    ...[...directories, ...others].flatMap((path) => [...(isWrong(path) ? [path] : []), ...wrongBelow(path)]),
  ]
  if (wrong.length === 0) return
  const closed = wrong.filter(isClosed)
  await note(sweep, 'wrong-mode', { paths: wrong }, () => {
    for (const path of wrong) mendMode(path)
  })
  // What stands in them could not be seen until now.
  if (sweep.mend && closed.length > 0 && !closed.some(isClosed)) await sweepModes(sweep)
}

/** A file may be gone by now: read, or swept by another. */
function mendMode(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return
  chmodSync(path, stat.isDirectory() ? 0o700 : 0o600)
  // FAT and its kin take a mode and forget it: what all files have there is said when the disk is mounted.
  if (isWrong(path)) throw new Error('this disk keeps no modes; mount it with umask=077')
}

/** Whether a directory cannot be listed, or what it lists not be looked at, by who does not own everything. */
function isClosed(path: string): boolean {
  const stat = statOf(path)
  return stat?.isDirectory() === true && (stat.mode & 0o500) !== 0o500
}

function wrongBelow(directory: string): string[] {
  if (isClosed(directory)) return []
  return entriesOf(directory).flatMap((entry) => {
    const path = join(directory, entry.name)
    return [...(isWrong(path) ? [path] : []), ...(entry.isDirectory() ? wrongBelow(path) : [])]
  })
}

/** A file that its owner may execute harms nobody, and is all that a disk without modes can give. */
function isWrong(path: string): boolean {
  const stat = statOf(path)
  if (stat?.isDirectory()) return (stat.mode & 0o777) !== 0o700
  return stat?.isFile() === true && (stat.mode & 0o677) !== 0o600
}
