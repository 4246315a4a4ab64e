import { existsSync, renameSync } from 'node:fs'
import { hostOf } from '../../message/address.ts'
import { senderOfId } from '../../message/id.ts'
import { NAME_PATTERN } from '../../message/name.ts'
import { unless } from '../../system/errno.ts'
import { faultPoint } from '../../system/fault.ts'
import { removeFile } from '../../system/files.ts'
import { ownPid } from '../../system/user.ts'
import type { Bus } from '../bus.ts'
import type { Home } from '../home.ts'
import { addToIndex, readIndex } from '../index/indexFile.ts'
import { dropMark } from '../mail/marks.ts'
import type { Prunable, PruneFacts } from './prune.ts'

/**
 * Removes conversations: of each message first the link in `read/`, then the file in the archive,
 * then its name from the indexes. Ended in between, what is left is in the archive and in nobody's
 * inbox, and the next run removes it. What has come to be unread since is left alone, with all of
 * its conversation. Gives the ids that were removed.
 */
export function removeThreads(bus: Bus, prunable: readonly Prunable[]): Set<string> {
  const { home } = bus
  const removed = new Set<string>()
  for (const { thread, messages } of prunable) {
    if (messages.some((message) => isUnread(home, message))) continue
    for (const message of messages) removeMessage(home, message)
    faultPoint('prune:removed')
    for (const { id } of messages) removed.add(id)
    strikeOff(home.thread(thread), removed)
  }
  if (removed.size > 0) strikeOff(home.allTasks, removed)
  faultPoint('prune:indexed')
  return removed
}

function isUnread(home: Home, { id, to }: PruneFacts): boolean {
  return NAME_PATTERN.test(to) && existsSync(home.unread(to, id))
}

function removeMessage(home: Home, { id, to }: PruneFacts): void {
  if (NAME_PATTERN.test(to)) {
    removeFile(home.read(to, id))
    dropMark(home, to, id)
  }
  // Its machine may send it again: an acknowledgement can be lost.
  const from = hostOf(senderOfId(id) ?? '')
  if (from !== undefined && existsSync(home.peer(from))) addToIndex(home.peerPruned(from), [id])
  removeFile(home.message(id))
}

/**
 * Takes ids out of an index to which others append meanwhile: it is moved aside, and what stays is
 * appended anew. Nothing waits for an appender that had it open already: what that one added is
 * found in the end, and `doctor` finds what is not.
 */
function strikeOff(path: string, removed: ReadonlySet<string>): void {
  const aside = `${path}.${ownPid()}.tmp`
  const move = () => {
    renameSync(path, aside)
    return true
  }
  if (!unless(['ENOENT'], move)) return
  const stays = readIndex(aside).filter((id) => !removed.has(id))
  if (stays.length > 0) addToIndex(path, stays)
  const late = readIndex(aside).filter((id) => !removed.has(id) && !stays.includes(id))
  if (late.length > 0) addToIndex(path, late)
  removeFile(aside)
}
