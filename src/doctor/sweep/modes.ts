import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureHome, homeDirectories } from '../../bus/home.ts'
import { entriesIn, lookAt } from '../../system/files.ts'
import { note, type Sweep } from './finding.ts'

/** Makes missing directories, and what is in the home readable by its owner alone. */
export async function sweepModes(sweep: Sweep): Promise<void> {
  const { home } = sweep.bus
  const directories = homeDirectories(home)
  // Directories that a home may do without.
  const others = [
    ...[home.held, home.gates, home.threads, home.tasks],
    ...[home.asks, home.escalations, home.watched, home.words, home.workers],
  ]
  const missing = directories.filter((path) => lookAt(path) === undefined)
  if (missing.length > 0)
    await note(sweep, 'missing-directory', { paths: missing }, () => ensureHome(home))
  const wrong = [
    ...((statSync(home.root).mode & 0o777) === 0o700 ? [] : [home.root]),
    ...[home.sessions, home.names, home.history, home.paused, home.allowed].filter(isWrong),
    ...[...directories, ...others].flatMap((path) => [
      ...(isWrong(path) ? [path] : []),
      ...wrongBelow(path),
    ]),
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
  // FAT and its kin forget a mode: all files there have the one of the mount.
  if (isWrong(path)) throw new Error('this disk does not store file modes; mount it with umask=077')
}

/** Whether who does not own everything cannot list a directory, or not look at what it lists. */
function isClosed(path: string): boolean {
  const stat = lookAt(path)
  return stat?.isDirectory() === true && (stat.mode & 0o500) !== 0o500
}

function wrongBelow(directory: string): string[] {
  if (isClosed(directory)) return []
  return entriesIn(directory).flatMap((entry) => {
    const path = join(directory, entry.name)
    return [...(isWrong(path) ? [path] : []), ...(entry.isDirectory() ? wrongBelow(path) : [])]
  })
}

/** That its owner may execute a file harms nobody, and a disk without modes gives no other mode. */
function isWrong(path: string): boolean {
  const stat = lookAt(path)
  if (stat?.isDirectory()) return (stat.mode & 0o777) !== 0o700
  return stat?.isFile() === true && (stat.mode & 0o677) !== 0o600
}
