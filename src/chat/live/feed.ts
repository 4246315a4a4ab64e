import { closeSync, openSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Bus } from '../../bus/bus.ts'
import { type HistoryEvent, lastSent, parseEvent, type SentEvent } from '../../bus/history.ts'
import { ensureInbox, type Home } from '../../bus/home.ts'
import { HUMAN } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import { type DirectoryWatch, watchDirectory, watchNamed } from '../../system/events.ts'
import { makeDirectory } from '../../system/files.ts'
import { followFile, type PlaceInFile } from '../../system/follow.ts'

/** Who learns of what happens in the home. */
type FeedSink = {
  /** The last messages from before, oldest first; once, before anything else. */
  past: (events: SentEvent[]) => void
  /** What has happened since, in its order. Some of the past may come again. */
  event: (event: HistoryEvent, place: PlaceInFile) => void
  /** The human's inbox may have changed. */
  inbox: () => void
  /** What the sessions are doing, or who needs the person, may have changed. */
  states: () => void
  /** The registry, the workers, or who waits for whom may have changed; not watched without it. */
  others?: () => void
  /** File events cannot be had, and why: what happens is seen at the next look. */
  slow: (why: string) => void
  /** The home is gone, or (`undefined`) there again. */
  trouble: (why: string | undefined) => void
  /** The feed cannot go on. */
  fault: (error: unknown) => void
}

export type Feed = {
  /** Looks where no event came, at the history and whether the home is there. */
  look: () => void
  close: () => Promise<void>
}

/** How often the home is looked at where no file event came. In milliseconds. */
const SCAN_MS = 5000

/**
 * Follows the home: its history, the human's inbox and what the sessions are doing. Wakes on file
 * events and looks every 5 s besides; `timed` false: when the caller says so. A home that is removed
 * is told of and waited for.
 */
export function openFeed(bus: Bus, backlog: number, sink: FeedSink, timed = true): Feed {
  const { home } = bus
  // A file that comes into being while its watch does may have no events, ever.
  closeSync(openSync(home.history, 'a', 0o600))
  let stop = () => {}
  let lookIntoHistory = () => {}
  // Followed first: what is written between the two comes twice, and is known by its id.
  const followed = followFile(
    home.history,
    (end, look) => {
      stop = end
      lookIntoHistory = look
    },
    newLines(bus, sink.event),
    false,
  ).catch(sink.fault)
  sink.past(lastSent(home, backlog))
  const watch = watchHome(bus, sink, () => lookIntoHistory())
  const lookAtAll = () => {
    watch.look()
    sink.inbox()
    sink.states()
  }
  if (timed) lookAtAll()
  else watch.look()
  const timer = timed ? setInterval(lookAtAll, SCAN_MS) : undefined
  return {
    look: watch.look,
    close: async () => {
      stop()
      clearInterval(timer)
      await Promise.all([followed, watch.close()])
    },
  }
}

/**
 * Takes the lines of the history. One that was rotated is another file, which is given from its
 * beginning: of that, only what is later than all before is told.
 */
function newLines(
  { clock }: Pick<Bus, 'clock'>,
  tell: (event: HistoryEvent, place: PlaceInFile) => void,
): (line: string, place: PlaceInFile) => void {
  let latest = isoTime(clock.now())
  let told = latest
  let batch = -1
  return (line, place) => {
    // Lines of one look come in one go: how late it was before them counts for them all.
    if (place.look !== batch) told = latest
    batch = place.look
    const event = parseEvent(line)
    if (event === undefined || (place.replaced && event.at <= told)) return
    if (event.at > latest) latest = event.at
    tell(event, place)
  }
}

/** Watches the directories of the home, and begins anew with another home in its place. */
function watchHome(bus: Bus, sink: FeedSink, alsoLook: () => void): Feed {
  let watches: DirectoryWatch[] = []
  let seen: number | undefined
  const find = () => {
    const now = inodeOf(bus.home.root)
    if (now === seen) return
    const before = watches
    watches = now === undefined ? [] : open(bus, sink, look)
    for (const watch of before) void watch.close()
    seen = now
    sink.trouble(
      now === undefined
        ? `the home ${bus.home.root} is gone; nothing is shown until it is back`
        : undefined,
    )
  }
  const look = () => {
    alsoLook()
    try {
      find()
    } catch (error) {
      sink.fault(error)
    }
  }
  return {
    look,
    close: async () => {
      await Promise.all(watches.map((one) => one.close()))
    },
  }
}

function open({ home }: Bus, sink: FeedSink, look: () => void): DirectoryWatch[] {
  ensureInbox(home, HUMAN)
  makeDirectory(home.pids)
  return [
    watchDirectory(home.inbox(HUMAN), sink.inbox, sink.slow),
    watchDirectory(home.states, sink.states, sink.slow),
    // Whoever keeps the line has seen that the list of who needs the person is another.
    watchNamed(home.pids, (name) => name === basename(home.needsLine) && sink.states(), sink.slow),
    ...(sink.others ? watchOthers(home, sink.others, look, sink.slow) : []),
  ]
}

/** What a worker does, and what it has cost; its words and its output are beside that. */
const OF_WORKERS = /^[a-z0-9-]+\.(json|costs\.jsonl)$/

/** Watches where much is written that is not shown, by the names alone. */
function watchOthers(
  home: Home,
  others: () => void,
  look: () => void,
  slow: (why: string) => void,
): DirectoryWatch[] {
  for (const path of [home.workers, home.asks]) makeDirectory(path)
  const [sessions, paused, history, root] = [
    home.sessions,
    home.paused,
    home.history,
    home.root,
  ].map((path) => basename(path))
  const inRoot = (name: string) => {
    if (name === sessions || name === paused) others()
    // The home was moved or removed, or its history was rotated: the new file has no watch yet.
    if (name === root || name === history) look()
  }
  return [
    watchNamed(home.root, inRoot, slow),
    watchNamed(home.workers, (name) => OF_WORKERS.test(name) && others(), slow),
    watchNamed(home.asks, others, slow),
  ]
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
