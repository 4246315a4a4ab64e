import { existsSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isErrno, unless } from '../../system/errno.ts'
import { faultPoint } from '../../system/fault.ts'
import { makeDirectory, namesIn, removeFile, syncDirectory } from '../../system/files.ts'
import { withPidLock } from '../../system/pidlock.ts'
import type { Bus } from '../bus.ts'
import { ensureInbox, type Home } from '../home.ts'
import { ring } from '../mail/bell.ts'
import { isUnfinished, type Rename } from './names.ts'

/** Hooks hold a state's lock for milliseconds. */
const LOCK_MS = 500

/**
 * Moves everything that is kept under a session's old name to its new one. Called again, it moves
 * the rest, or a message that a sender who knew the old name delivered there meanwhile. False where
 * another process has ended the rename, before or while this one was stopped: the old name may be a
 * newcomer's.
 */
export function moveBelongings(bus: Bus, { from, to }: Rename): boolean {
  const { home } = bus
  const moveLocked = (lock: string, source: string, target: string) => () =>
    withPidLock(lock, bus.processes, LOCK_MS, () => moveFile(source, target))
  const steps = [
    ...stepsOfMessages(home, from, to),
    () => faultPoint('rename:inbox'),
    () => makeDirectory(home.states),
    moveLocked(home.stateLock(from), home.state(from), home.state(to)),
    () => moveFile(home.launched(from), home.launched(to)),
    moveLocked(home.ringsLock(from), home.rings(from), home.rings(to)),
    moveLocked(`${home.reads(from)}.lock`, home.reads(from), home.reads(to)),
    () =>
      existsSync(home.gate(from)) &&
      moveLocked(home.gateLock(from), home.gate(from), home.gate(to))(),
    () =>
      existsSync(home.list(from)) &&
      moveLocked(home.listLock(from), home.list(from), home.list(to))(),
    // Its watcher goes with it: see `watchInbox()`. The old bell stays, as after a leave, and wakes
    // the watcher below.
    () => moveFile(home.pid(from), home.pid(to)),
    // The watcher of the old name writes it anew, or removes it, as it ends.
    () => removeFile(home.waiting(from)),
    () => existsSync(home.watcherLog(to)) || moveFile(home.watcherLog(from), home.watcherLog(to)),
    () => moveBell(home, from, to),
    () => ring(bus, from),
    () => faultPoint('rename:moved'),
  ]
  for (const step of steps) {
    if (!isUnfinished(home, from, to)) return false
    step()
  }
  return isUnfinished(home, from, to)
}

/** Moves messages, unread and read, from one inbox to another. */
export function moveMessages(home: Home, from: string, to: string): void {
  for (const step of stepsOfMessages(home, from, to)) step()
}

/** Marks first, so that no doorbell sees a message without its mark. */
function stepsOfMessages(home: Home, from: string, to: string): (() => void)[] {
  return [
    () => ensureInbox(home, to),
    () => existsSync(home.heldBy(from)) && moveFiles(home.heldBy(from), home.heldBy(to)),
    () => faultPoint('rename:marks'),
    () => moveFiles(home.inbox(from), home.inbox(to)),
    () => moveDirectory(home.readDirectory(from), home.readDirectory(to)),
    () =>
      existsSync(home.badDirectory(from)) &&
      moveFiles(home.badDirectory(from), home.badDirectory(to)),
    ...[home.readDirectory(from), home.badDirectory(from), home.inbox(from), home.heldBy(from)].map(
      (path) => () => removeEmpty(path),
    ),
  ]
}

/**
 * Moves the bell: the time of its last ring tells `doctor` whether it has to ring. The agent that
 * listens at the old one is told to listen at the new one.
 */
function moveBell(home: Home, from: string, to: string): void {
  if (!existsSync(home.ring(from))) return
  makeDirectory(home.bell(to))
  moveFile(home.ring(from), home.ring(to))
}

/** Moves one message that was delivered to an old name, unless the rename has moved it already. */
export function moveUnread(home: Home, from: string, to: string, id: string): void {
  ensureInbox(home, to)
  const mark = `${id}.json`
  if (existsSync(join(home.heldBy(from), mark))) {
    makeDirectory(home.heldBy(to))
    moveFile(join(home.heldBy(from), mark), join(home.heldBy(to), mark))
  }
  moveFile(home.unread(from, id), home.unread(to, id))
}

/** Moves the many read messages as one directory, or, into one that is in use, file by file. */
function moveDirectory(source: string, target: string): void {
  try {
    renameSync(source, target)
    syncDirectory(dirname(target))
    syncDirectory(dirname(source))
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EXDEV')) throw error
    moveFiles(source, target)
  }
}

/** Hidden names are locks and files that are being written; names without a dot, directories. */
function moveFiles(source: string, target: string): void {
  const files = namesIn(source).filter((file) => !file.startsWith('.') && file.includes('.'))
  if (files.length === 0) return
  makeDirectory(target)
  for (const file of files) moveFile(join(source, file), join(target, file))
  syncDirectory(target)
  syncDirectory(source)
}

/** `rename(2)` of two hard links to one inode does nothing, so the source is removed. */
function moveFile(source: string, target: string): void {
  unless(['ENOENT'], () => {
    renameSync(source, target)
    removeFile(source)
  })
}

/** Removes a directory, unless it holds a reader's lock or a file that came meanwhile. */
export function removeEmpty(path: string): void {
  unless(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'], () => rmdirSync(path))
}
