import { type Feed, openFeed } from '../chat/live/feed.ts'
import { eventsAfter, type Place, parsePlace, placeText } from '../chat/live/past.ts'
import { openUnread } from '../feed/threads.ts'
import { createThrottle } from '../system/throttle.ts'
import { openChanges } from './changes.ts'
import { frame, frameOf, sayingOf } from './frames.ts'
import { nowOf } from './now.ts'
import type { Ports } from './ports.ts'
import { BEAT_MS, createPulse } from './pulse.ts'
import { pageBefore } from './rows.ts'
import { openTokensUsed } from './tokensUsed.ts'
import type { Now, Room } from './wire.ts'

/** A tab that is connected: text goes out as it is. `beat`: so does a sign of life, at no cost. */
export type Tab = { write: (text: string) => void; beat: () => void }

/** The one watcher of the home, whatever the number of tabs; without any it looks at nothing. */
export type Hub = {
  /** All of the first look. */
  room: () => Promise<Room>
  /** Connects a tab that knows the events up to a place. Gives what ends that. */
  join: (tab: Tab, after: string | undefined) => () => void
  close: () => Promise<void>
}

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
  let place: Place = { ino: 0, end: 0 }
  let gone: string | null = null
  let now: Now | undefined
  let outgoing = ''
  let retry: ReturnType<typeof setTimeout> | undefined
  let stirred = false
  let failed = false
  let deaf = false
  const changed = openChanges(bus)
  const unread = openUnread(bus)
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
  const tellFault = (error: unknown) => tell(frame('trouble', sayingOf(error)))
  const stir = () => {
    stirred = true
    pulse.stir()
  }
  const look = createThrottle(
    async () => {
      const found = await nowOf(ports, gone, tokens, unread, now)
      failed = false
      if (JSON.stringify(found) === JSON.stringify(now)) return
      now = found
      stir()
      tell(frame('now', found))
    },
    LOOK_MS,
    // It is tried again at the next event or beat; whatever is found then is told.
    (error) => {
      stir()
      now = undefined
      failed = true
      tellFault(error)
    },
  )
  const tokens = openTokensUsed(bus.clock, look.ask, tellFault)
  const trouble = (why: string | undefined) => {
    const back = gone !== null && why === undefined
    if (gone === (why ?? null)) return
    gone = why ?? null
    stir()
    look.ask()
    if (!back) return
    onBack()
    tell(frame('reset', null))
  }
  const check = () => {
    try {
      if (gone === null && (changed() || tokens.grew() || failed || now?.gone)) look.ask()
    } catch (error) {
      again(error)
    }
  }
  // The one timer: a home where nothing happens costs no more than this.
  const pulse = createPulse(() => {
    for (const tab of tabs) tab.beat()
    feed?.look()
    if (stirred) onQuiet()
    stirred = false
    check()
    return gone === null && !failed && !deaf
  })
  const open = () =>
    openFeed(
      bus,
      0,
      {
        past: () => {},
        event: (event, { ino, end }) => {
          place = { ino, end }
          stir()
          tell(frameOf(event, place))
          look.ask()
        },
        inbox: look.ask,
        states: look.ask,
        others: check,
        slow: () => {
          deaf = true
        },
        trouble,
        fault: again,
      },
      false,
    )
  const again = (error: unknown) => {
    tellFault(error)
    if (tabs.size > 0) retry ??= setTimeout(() => void end().then(begin), RETRY_MS)
  }
  const begin = () => {
    retry = undefined
    if (tabs.size === 0) return
    deaf = false
    pulse.begin()
    try {
      feed = open()
      place = pageBefore(bus)?.top ?? place
    } catch (error) {
      again(error)
    }
  }
  const end = async () => {
    pulse.end()
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
      const found = await nowOf(ports, gone, tokens, unread, now)
      // The tabs were told of another state, maybe: the stream tells the next one, whatever it is.
      now = undefined
      if (tabs.size > 0) look.ask()
      return {
        ...found,
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
