import { existsSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isErrno } from '../system/errno.ts'
import { faultPoint } from '../system/fault.ts'
import { makeDirectory, namesIn, removeFile, syncDirectory } from '../system/files.ts'
import { withPidLock } from '../system/pidlock.ts'
import { ring } from './bell.ts'
import type { Bus } from './bus.ts'
import { ensureInbox, type Home } from './home.ts'
import { isUnfinished, type Rename } from './names.ts'

/** Hooks hold a state's lock for milliseconds. */
const LOCK_MS = 500

/**
 * Moves all that is kept under a session's old name to its new one. Done again, it moves what is left, or what a sender who knew the old name has
 * delivered there meanwhile. False where another process has ended the rename, before or while this one was stopped: the old name may be a newcomer's.
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
    moveLocked(home.ringsLock(from), home.rings(from), home.rings(to)),
    moveLocked(`${home.reads(from)}.lock`, home.reads(from), home.reads(to)),
    () => existsSync(home.gate(from)) && moveLocked(home.gateLock(from), home.gate(from), home.gate(to))(),
    // Its watcher goes with it: see `watchInbox()`. The old bell, which stays as after a leave, wakes it below.
    () => moveFile(home.pid(from), home.pid(to)),
    // The watcher of the old name writes it anew, or removes it, as it ends.
    () => removeFile(home.waiting(from)),
    () => existsSync(home.watcherLog(to)) || moveFile(home.watcherLog(from), home.watcherLog(to)),
    () => moveBell(home, from, to),
    () => ring(home, from),
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
    () => existsSync(home.badDirectory(from)) && moveFiles(home.badDirectory(from), home.badDirectory(to)),
    ...[home.readDirectory(from), home.badDirectory(from), home.inbox(from), home.heldBy(from)].map(
      (path) => () => removeEmpty(path),
    ),
  ]
}

/** When it was rung tells `doctor` whether it has to be; the agent that listens there is told to listen elsewhere. */
function moveBell(home: Home, from: string, to: string): void {
  if (!existsSync(home.ring(from))) return
  makeDirectory(home.bell(to))
  moveFile(home.ring(from), home.ring(to))
}

/** Moves one message that was delivered to a name which its recipient no longer has. Its rename may have moved it already. */
export function moveUnread(home: Home, from: string, to: string, id: string): void {
  ensureInbox(home, to)
  const mark = `${id}.json`
  if (existsSync(join(home.heldBy(from), mark))) {
    makeDirectory(home.heldBy(to))
    moveFile(join(home.heldBy(from), mark), join(home.heldBy(to), mark))
  }
  moveFile(home.unread(from, id), home.unread(to, id))
}

/** What was read is a lot: the directory goes as a whole where none stands in its place but an empty one, else file by file. */
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

/** Names that begin with a dot are locks, and what is being written; those without one are directories. */
function moveFiles(source: string, target: string): void {
  const files = namesIn(source).filter((file) => !file.startsWith('.') && file.includes('.'))
  if (files.length === 0) return
  makeDirectory(target)
  for (const file of files) moveFile(join(source, file), join(target, file))
  syncDirectory(target)
  syncDirectory(source)
}

/** A rename between two names of one file leaves both. */
function moveFile(source: string, target: string): void {
  try {
    renameSync(source, target)
    removeFile(source)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}

/** Removes a directory, unless it holds what somebody has put there meanwhile, or a reader's lock. */
export function removeEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error
  }
}
