import { record } from '../../bus/history.ts'
import { ring } from '../../bus/mail/bell.ts'
import { messageAt } from '../../bus/mail/inbox.ts'
import { writtenAt } from '../../bus/mail/inboxes.ts'
import { isSilent, marksOf } from '../../bus/mail/marks.ts'
import { linkOrCopy } from '../../bus/mail/publish.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { peers, queuedIds } from '../../bus/remote/peers.ts'
import { idOfFile } from '../../message/id.ts'
import { progressIn } from '../../message/task.ts'
import { entriesIn, lookAt } from '../../system/files.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import { GRACE_MS, note, recordSent, type Sweep } from './finding.ts'
import type { Past } from './past.ts'

/** So much a file's time may be behind the ids' clock: FAT keeps every second second. In ms. */
const CLOCK_SLACK_MS = 2500

/** Brings archive, history and bells up to the inboxes. Gives the ids of all that was delivered. */
export async function sweepInboxes(
  sweep: Sweep,
  names: string[],
  past: Past,
): Promise<Set<string>> {
  const placed = new Set<string>()
  for (const name of names) {
    for (const id of await sweepUnread(sweep, name, past)) placed.add(id)
    for (const id of await sweepRead(sweep, name, past)) placed.add(id)
    // A second file of one name has a number behind it: `<id>.md.1`.
    for (const { name: file } of entriesIn(sweep.bus.home.badDirectory(name)))
      placed.add(file.replace(/\.md(\.\d+)?$/, ''))
  }
  for (const { host } of peers(sweep.bus.home))
    for (const id of queuedIds(sweep.bus.home, host)) {
      placed.add(id)
      const path = sweep.bus.home.outgoing(host, id)
      if (sweep.bus.clock.now() - writtenAt(id, path) > GRACE_MS)
        await sweepDelivered(sweep, host, id, path, past)
    }
  return placed
}

async function sweepUnread(sweep: Sweep, name: string, past: Past): Promise<string[]> {
  const { home, clock } = sweep.bus
  const ids = unreadIds(home, name)
  const settled = ids.filter((id) => clock.now() - writtenAt(id, home.unread(name, id)) > GRACE_MS)
  for (const id of settled) await sweepDelivered(sweep, name, id, home.unread(name, id), past)
  const marks = marksOf(home, name)
  // What a command waited for is looked at with the marks.
  const newest = settled.findLast(
    (id) => marks[id]?.ring !== 'awaited' && !isSilent(marks[id], sweep.bus.processes),
  )
  if (newest === undefined) return ids
  const rung = lookAt(home.ring(name))?.mtimeMs ?? 0
  if (rung + CLOCK_SLACK_MS < writtenAt(newest, home.unread(name, newest)))
    await note(sweep, 'unrung', { paths: [home.ring(name)], name }, () => ring(sweep.bus, name))
  return ids
}

/** A reader locks the inbox from its first message to its last: no lock, nobody at work. */
async function sweepRead(sweep: Sweep, name: string, past: Past): Promise<string[]> {
  const { bus } = sweep
  const ids = entriesIn(bus.home.readDirectory(name))
    .map((entry) => idOfFile(entry.name))
    .filter((id) => id !== undefined)
  const lock = tryPidLock(bus.home.readerLock(name), bus.processes)
  if (typeof lock !== 'function') return ids
  try {
    for (const id of ids) {
      const path = bus.home.read(name, id)
      await sweepDelivered(sweep, name, id, path, past)
      if (!past.wasRead(id, name) && past.covers(writtenAt(id, path)))
        await note(sweep, 'read-unrecorded', { paths: [path], name }, () =>
          record(bus, isFiled(path, id) ? 'filed' : 'read', { id, by: name, mended: true }),
        )
    }
  } finally {
    lock()
  }
  return ids
}

/** Whether it is a state of a task, which nobody has read. */
function isFiled(path: string, id: string): boolean {
  const message = messageAt(path, id)
  return message !== undefined && progressIn(message) !== undefined
}

async function sweepDelivered(
  sweep: Sweep,
  name: string,
  id: string,
  path: string,
  past: Past,
): Promise<void> {
  const { bus } = sweep
  const archived = lookAt(bus.home.message(id)) !== undefined
  if (archived && past.sent.has(id)) return
  // What is no message is left to the inbox's next reader, who puts it aside and says so.
  const message = messageAt(path, id, bus.home)
  if (message === undefined) return
  if (!archived)
    await note(sweep, 'unarchived', { paths: [path], name }, () =>
      linkOrCopy(path, bus.home.message(id)),
    )
  if (past.sent.has(id) || !past.covers(writtenAt(id, path))) return
  past.add(message)
  await note(sweep, 'unrecorded', { paths: [path], name }, () => recordSent(sweep, message))
}
