import { idOfFile } from '../../message/id.ts'
import { tryPidLock } from '../../system/pidlock.ts'
import { ring } from '../bell.ts'
import { heldMarks, isSilent } from '../held.ts'
import { record } from '../history.ts'
import { readMessageFile } from '../inbox.ts'
import { linkOrCopy } from '../publish.ts'
import { unreadIds } from '../unread.ts'
import { entriesOf, statOf, writtenAt } from './entries.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'
import type { Past } from './past.ts'
import { recordSent } from './record.ts'

/** A file's time may be this much behind the clock that ids are made by: FAT and its kin keep every second second. In milliseconds. */
const CLOCK_SLACK_MS = 2500

/** Brings archive, history and bells up to what stands in the inboxes. Gives the ids of all that was ever delivered. */
export async function sweepInboxes(sweep: Sweep, names: string[], past: Past): Promise<Set<string>> {
  const placed = new Set<string>()
  for (const name of names) {
    for (const id of await sweepUnread(sweep, name, past)) placed.add(id)
    for (const id of await sweepRead(sweep, name, past)) placed.add(id)
    // A second file of one name has a number behind it: `<id>.md.1`.
    for (const { name: file } of entriesOf(sweep.bus.home.badDirectory(name)))
      placed.add(file.replace(/\.md(\.\d+)?$/, ''))
  }
  return placed
}

async function sweepUnread(sweep: Sweep, name: string, past: Past): Promise<string[]> {
  const { home, clock } = sweep.bus
  const ids = unreadIds(home, name)
  const settled = ids.filter((id) => clock.now() - writtenAt(id, home.unread(name, id)) > GRACE_MS)
  for (const id of settled) await sweepDelivered(sweep, name, id, home.unread(name, id), past)
  const marks = heldMarks(home, name)
  // What a command waited for is looked at with the marks.
  const newest = settled.findLast((id) => marks[id]?.ring !== 'awaited' && !isSilent(marks[id], sweep.bus.processes))
  if (newest === undefined) return ids
  const rung = statOf(home.ring(name))?.mtimeMs ?? 0
  if (rung + CLOCK_SLACK_MS < writtenAt(newest, home.unread(name, newest)))
    await note(sweep, 'unrung', { paths: [home.ring(name)], name }, () => ring(home, name))
  return ids
}

/** A reader holds its lock from the first message that it prints to the last that it records: without it, nobody is at work here. */
async function sweepRead(sweep: Sweep, name: string, past: Past): Promise<string[]> {
  const { bus } = sweep
  const ids = entriesOf(bus.home.readDirectory(name))
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
          record(bus, 'read', { id, by: name, mended: true }),
        )
    }
  } finally {
    lock()
  }
  return ids
}

async function sweepDelivered(sweep: Sweep, name: string, id: string, path: string, past: Past): Promise<void> {
  const { bus } = sweep
  const archived = statOf(bus.home.message(id)) !== undefined
  if (archived && past.sent.has(id)) return
  // What is no message is left to the inbox's next reader, who puts it aside and says so.
  const message = readMessageFile(path, `${id}.md`, bus.home)
  if (message === undefined || typeof message === 'string') return
  if (!archived) await note(sweep, 'unarchived', { paths: [path], name }, () => linkOrCopy(path, bus.home.message(id)))
  if (past.sent.has(id) || !past.covers(writtenAt(id, path))) return
  past.add(message)
  await note(sweep, 'unrecorded', { paths: [path], name }, () => recordSent(sweep, message))
}
