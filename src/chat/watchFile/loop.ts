import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import type { Message } from '../../message/message.ts'
import {
  type FileWatch,
  readFileWatch,
  watchKey,
  writeFileWatch,
} from '../../session/fileWatches.ts'
import type { DirectoryWatch } from '../../system/events.ts'
import type { Waker } from '../../system/waker.ts'
import { type Note, noteOf } from './note.ts'
import { dueIn, type Pace, type Seen } from './pace.ts'
import { type Snapshot, snapshotOf, stampOf } from './snapshot.ts'

export type FileWatchPorts = {
  bus: Bus
  waker: Waker
  watchOneFile: (
    path: string,
    onEvent: () => void,
    onTrouble: (why: string) => void,
  ) => DirectoryWatch
  /** Sends the note; undefined where it could not be sent now. */
  send: (watch: FileWatch, note: Note) => Promise<Message | undefined>
  log: (text: string) => void
  stopped: () => boolean
  pace: Pace
}

/**
 * The backup of the file events, and how often a watch makes sure that it is still wanted: three
 * small reads. In milliseconds.
 */
const LOOK_MS = 2000

/**
 * Watches one file until nobody wants it any more, and gives the reason for ending. What it tells
 * of is what has changed since its last note.
 */
export async function watchFile(started: FileWatch, ports: FileWatchPorts): Promise<string> {
  const { bus, waker, log } = ports
  // Looked at before the file is read: what changes while it is read is seen as a change.
  let stamp = stampOf(started.path)
  let base = await snapshotOf(started.path)
  let watch: FileWatch = { ...started, watcher: bus.processes.self() }
  const events = ports.watchOneFile(watch.path, waker.wake, (why) =>
    log(`file events are not available (${why})`),
  )
  writeFileWatch(bus.home, watch)
  let seen: Seen | undefined
  let noted: number | undefined
  try {
    for (;;) {
      const end = reasonToEnd(watch, ports)
      if (end !== undefined) return end
      const now = bus.clock.now()
      const current = stampOf(watch.path)
      if (current !== stamp) seen = { first: seen?.first ?? now, last: now }
      stamp = current
      const wait = seen === undefined ? LOOK_MS : dueIn(seen, noted, now, ports.pace)
      if (wait > 0) {
        await waker.sleep(Math.min(wait, LOOK_MS))
        continue
      }
      const told = await tell(watch, base, ports)
      // What could not be told is tried again, as far apart as notes are.
      if (told !== 'same') noted = bus.clock.now()
      seen = told === 'failed' ? { first: bus.clock.now(), last: bus.clock.now() } : undefined
      if (typeof told === 'object') ({ watch, base } = told)
    }
  } finally {
    await events.close()
  }
}

type Told = { watch: FileWatch; base: Snapshot } | 'same' | 'failed'

async function tell(watch: FileWatch, before: Snapshot, ports: FileWatchPorts): Promise<Told> {
  const after = await snapshotOf(watch.path)
  const note = noteOf(watch.path, before, after)
  if (note === undefined) return 'same'
  const message = await ports.send(watch, note)
  if (message === undefined) return 'failed'
  const { id, chain, hops, timestamp } = message
  const next: FileWatch = { ...watch, last: { id, chain, hops, at: timestamp } }
  // Removed while it was told of: then it does not come back.
  if (reasonToEnd(watch, ports) === undefined) writeFileWatch(ports.bus.home, next)
  return {
    watch: next,
    base:
      'bytes' in after ? after : { ...after, before: 'bytes' in before ? before : before.before },
  }
}

function reasonToEnd(watch: FileWatch, { bus, stopped }: FileWatchPorts): string | undefined {
  if (stopped()) return 'it was told to end'
  if (!existsSync(bus.home.root)) return 'the home is gone'
  const current = readFileWatch(bus.home, watchKey(watch))
  if (current === undefined) return 'the file is no longer watched'
  return current.watcher?.pid === watch.watcher?.pid ? undefined : 'another process is watching it'
}
