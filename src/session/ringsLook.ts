import { statSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { unreadFiles } from '../bus/mail/unread.ts'
import { idOfFile } from '../message/id.ts'
import { changeFile } from '../system/changeFile.ts'
import { isErrno } from '../system/errno.ts'
import { makeDirectory } from '../system/files.ts'
import {
  idsOf,
  type Replace,
  type RingMark,
  type Rings,
  readRings,
  writeRings,
} from './ringsFile.ts'

/** From this many on, noting that nothing is left to do is cheaper than listing. */
const MANY = 500

/** A change so soon after another may leave a directory's time, on some disks. In milliseconds. */
const RECENT_MS = 3000

/** Marks, and then names of the files: a message that is marked and not among them was read. */
export type Look = { rings: Rings; files: string[] }

/**
 * Looks at the marks and then at the inbox. An inbox that is as it was when nothing was left to do
 * in it counts as empty.
 */
export function lookAt(
  home: Pick<Home, 'rings' | 'inbox'>,
  name: string,
  rings = readRings(home, name),
): Look {
  const done = rings.inbox !== undefined && rings.inbox === stampOf(home, name)
  return { rings, files: done ? [] : unreadFiles(home, name) }
}

/** The unread messages without those that `isDone` says of their mark, oldest first. */
export function unreadBut({ rings, files }: Look, isDone: (mark: RingMark) => boolean): string[] {
  if (files.length === 0) return []
  const done = new Set(rings.groups.flatMap((group) => (isDone(group.mark) ? idsOf(group) : [])))
  // The names of thousands that are done are dropped at once, so that they cost the collector
  // nothing.
  const left =
    done.size === 0 ? files : files.filter((file) => !done.has(file.slice(0, -'.md'.length)))
  return left.map(idOfFile).filter((id) => id !== undefined)
}

/**
 * Notes, after a look that left nothing to do, the state of a large inbox in which everything has
 * been presented. Until a message comes or goes, nobody need list it. Where the note cannot be
 * written, the inbox is listed the next time.
 */
export function noteDone(bus: Bus, name: string, seen: Look): void {
  if (seen.files.length < MANY || !isPresented(seen.rings)) return
  const { home, clock } = bus
  const inbox = stampOf(home, name, clock.now() - RECENT_MS)
  if (inbox === undefined) return
  try {
    changeRings(bus, name, (replace) => {
      const now = { rings: readRings(home, name), files: unreadFiles(home, name) }
      const left = isPresented(now.rings) ? unreadBut(now, () => true) : now.files
      if (left.length === 0) writeRings(replace, { ...now.rings, inbox })
    })
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM')) throw error
  }
}

/**
 * Runs `work` while no other process changes the marks; it may run again: see `changeFile()`. After
 * a while without the lock it goes on: a second ring does less harm than none.
 */
export function changeRings<T>(
  { home, processes }: Bus,
  name: string,
  work: (replace: Replace) => T,
): T {
  makeDirectory(home.states)
  return changeFile({ path: home.rings(name), lock: home.ringsLock(name), processes }, work)
}

/** Undefined for no inbox, or one that was changed after `before` (milliseconds since 1970). */
function stampOf(
  home: Pick<Home, 'inbox'>,
  name: string,
  before = Number.POSITIVE_INFINITY,
): string | undefined {
  const stat = statSync(home.inbox(name), { throwIfNoEntry: false })
  return stat && stat.ctimeMs < before ? `${stat.ino}-${stat.ctimeMs}` : undefined
}

function isPresented({ groups }: Rings): boolean {
  return groups.every(({ mark }) => mark.presented !== undefined)
}
