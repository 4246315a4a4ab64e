import type { HistoryEvent } from '../bus/history.ts'
import { failureOf } from '../chat/failure.ts'
import { type Feed, openFeed } from '../chat/live/feed.ts'
import { eventsAfter, type Place, parsePlace, placeText } from '../chat/live/past.ts'
import { createThrottle } from '../system/throttle.ts'
import { openChanges } from './changes.ts'
import { nowOf } from './now.ts'
import type { Ports } from './ports.ts'
import { pageBefore, rowOf } from './rows.ts'
import type { Now, Room } from './wire.ts'

/** A tab that is connected: text goes out as it is. */
export type Tab = { write: (text: string) => void }

/** The one watcher of the home, whatever the number of tabs; without any it looks at nothing. */
export type Hub = {
  /** All of the first look. */
  room: () => Promise<Room>
  /** Connects a tab that knows the events up to a place. Gives what ends that. */
  join: (tab: Tab, after: string | undefined) => () => void
  close: () => Promise<void>
}

/** A sign of life comes so often; a page that hears none for longer connects again. */
export const BEAT_MS = 10_000
/** The least time between two looks around. In milliseconds. */
const LOOK_MS = 250
/** How long after a fault the feed is opened again. */
const RETRY_MS = 1000
/** Whoever has missed more begins again. */
const MOST_MISSED = 1000

/** `onBack`: the home was gone and is there again; `onQuiet`: something has happened, and nothing does now. */
export function openHub(ports: Ports, onBack: () => void, onQuiet: () => void): Hub {
  const tabs = new Set<Tab>()
  const bus = ports.bus()
  let feed: Feed | undefined
  let beat: ReturnType<typeof setInterval> | undefined
  let place: Place = { ino: 0, end: 0 }
  let gone: string | null = null
  let now: Now | undefined
  let outgoing = ''
  let retry: ReturnType<typeof setTimeout> | undefined
  let stirred = false
  let failed = false
  const changed = openChanges(bus)
  const tell = (text: string) => {
    // What comes in one go goes out in one go.
    if (outgoing === '') setImmediate(flush)
    outgoing += text
  }
  const flush = () => {
    const text = outgoing
    outgoing = ''
    for (const tab of tabs) tab.write(text)
  }
  const look = createThrottle(
    async () => {
      const found = await nowOf(ports, gone)
      failed = false
      if (JSON.stringify(found) === JSON.stringify(now)) return
      now = found
      tell(frame('now', found))
    },
    LOOK_MS,
    // It is tried again at the next event, and with the scan; whatever is found then is told.
    (error) => {
      now = undefined
      failed = true
      tell(frame('trouble', sayingOf(error)))
    },
  )
  const trouble = (why: string | undefined) => {
    const back = gone !== null && why === undefined
    if (gone === (why ?? null)) return
    gone = why ?? null
    look.ask()
    if (!back) return
    onBack()
    tell(frame('reset', null))
  }
  const open = () =>
    openFeed(bus, 0, {
      past: () => {},
      event: (event, { ino, end }) => {
        place = { ino, end }
        stirred = true
        tell(frameOf(event, place))
        look.ask()
      },
      inbox: look.ask,
      states: look.ask,
      scan: () => {
        if (gone === null && (changed() || failed || now?.gone)) return look.ask()
        if (stirred) onQuiet()
        stirred = false
      },
      slow: () => {},
      trouble,
      fault: again,
    })
  const again = (error: unknown) => {
    tell(frame('trouble', sayingOf(error)))
    if (tabs.size > 0) retry ??= setTimeout(() => void end().then(begin), RETRY_MS)
  }
  const begin = () => {
    retry = undefined
    if (tabs.size === 0) return
    beat = setInterval(() => tell(frame('beat', null)), BEAT_MS)
    try {
      feed = open()
      place = pageBefore(bus)?.top ?? place
    } catch (error) {
      again(error)
    }
  }
  const end = async () => {
    clearInterval(beat)
    clearTimeout(retry)
    retry = undefined
    const ended = feed
    feed = undefined
    await ended?.close()
  }
  return {
    room: async () => {
      stirred = true
      const page = gone === null ? pageBefore(bus) : undefined
      const { rows = [], next = null, top = place } = page ?? {}
      return {
        ...(await nowOf(ports, gone)),
        ...{ rows, next, place: placeText(top), beat: BEAT_MS },
        ...{ home: bus.home.root, version: ports.version },
      }
    },
    join: (tab, after) => {
      flush()
      tabs.add(tab)
      if (tabs.size === 1) begin()
      tab.write(`retry: 1000\n\n${missed(ports, parsePlace(after), place)}`)
      if (now) tab.write(frame('now', now))
      look.ask()
      return () => {
        if (tabs.delete(tab) && tabs.size === 0) void end()
      }
    },
    close: () => {
      look.close()
      tabs.clear()
      return end()
    },
  }
}

/** What a tab has missed since a place, up to the one that all have got. */
function missed(ports: Ports, after: Place | undefined, upTo: Place): string {
  const events = after && eventsAfter(ports.bus(), after, MOST_MISSED)
  if (events === undefined) return frame('reset', null)
  return events
    .filter(({ place }) => place.end <= upTo.end)
    .map(({ event, place }) => frameOf(event, place))
    .join('')
}

/** An event as a tab gets it; its id is its place in the history. */
function frameOf(event: HistoryEvent, place: Place): string {
  // Names are those of now: all of what was shown has other ones.
  if (event.event === 'renamed') return frame('reset', null)
  const row = rowOf(event)
  return row === undefined ? '' : frame('row', row, placeText(place))
}

/** What went wrong, as a sentence for the page. */
function sayingOf(error: unknown): string {
  const { message, hint } = failureOf(error)
  return `${message} (${hint})`
}

function frame(event: string, data: unknown, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}
