import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { homeError } from '../bus/homeError.ts'
import { failureOf } from '../chat/failure.ts'
import { type Feed, openFeed } from '../chat/live/feed.ts'
import { entryOfMessage } from '../chat/live/fromEvent.ts'
import { remoteNames } from '../chat/remote/recipient.ts'
import { CodedError } from '../errors.ts'
import { noteAwaySeen, noteKey } from '../feed/away.ts'
import { HUMAN } from '../message/name.ts'
import { shortId } from '../message/shortId.ts'
import { createThrottle } from '../system/throttle.ts'
import { allHeld } from '../trust/sendGate/held.ts'
import { type Arrivals, openArrivals } from './arrivals.ts'
import { type Head, openHead } from './head.ts'
import { type HumanInbox, openHumanInbox } from './humanInbox.ts'
import { SLASH_WORDS } from './model/commands.ts'
import type { Completable } from './model/complete.ts'
import { helpText } from './model/help.ts'
import { parseInput } from './model/input.ts'
import { addresseeOf, emptyRoom, look, nextNumber, openDecisions, type Room } from './model/room.ts'
import { perform } from './perform.ts'
import type { Ports } from './ports.ts'
import { type Display, openStore, type Store } from './store.ts'
import { openWaiting, type Waiting } from './waiting.ts'
import { isWatched } from './watched.ts'

/**
 * What came of a line: `exit` is the exit code that a command would have had; `quit` to leave;
 * `goTo` the number of the entry to begin reading at; `open` the session whose terminal to open;
 * `inbox`: to show the inbox.
 */
type Submitted = { exit: number; quit?: true; goTo?: number; open?: string; inbox?: true }

/** The room, open. */
export type Live = {
  room: () => Room
  /** Does what a line asks for, line after line. Rejects where nothing can be shown any more. */
  submit: (line: string) => Promise<Submitted>
  /**
   * The human has pressed a key, with these messages on the screen: seen by somebody, they are
   * read.
   */
  looked: (ids: readonly string[]) => void
  /** The human says that they have read these. */
  read: (ids: readonly string[]) => void
  /** The human has pressed a key: they are here. */
  pressed: () => void
  /** The human has seen what happened while they were away. */
  awaySeen: () => void
  /** The ids of messages to the human that they have not looked at, oldest first. */
  unseen: () => readonly string[]
  known: () => Completable
  close: () => Promise<void>
}

/** What the parts of a room share. */
type Parts = { store: Store; humanInbox: HumanInbox; waiting: Waiting; head: Head }

/** How many messages from before are shown, and how many ids Tab knows. */
const BACKLOG = 50
const IDS = 100
/** Messages that come within this time are looked for once. In milliseconds. */
const INBOX_MS = 20

const SLOW = 'the console looks every 5 s instead; find the cause with: agent-chat doctor'

/** Opens the room on its home. `addressee`: for whom is a text without a name, at first. */
export function openLive(ports: Ports, addressee: string | undefined, display: Display): Live {
  const bus = ports.bus()
  const store = openStore({ ...emptyRoom(addressee), looking: true }, display, bus.clock.now)
  const fault = onceEach(bus, store)
  const waiting = openWaiting(bus)
  const head = openHead(ports, store, waiting, fault)
  const parts: Parts = { store, humanInbox: openHumanInbox(bus), waiting, head }
  const feed = follow(bus, parts, display.bell, fault)
  loadAhead(ports.commands).catch(fault)
  const read = async (ids: readonly string[]) => {
    await parts.humanInbox.seen(ids)
    listUnread(parts)
  }
  // One line that fails, where nothing can be shown any more, ends none of those behind it.
  let busy: Promise<unknown> = Promise.resolve()
  return {
    room: store.room,
    submit: (line) => {
      const next = busy.then(() => submit(line, parts, ports))
      busy = next.catch(() => undefined)
      return next
    },
    looked: (ids) => {
      store.update(look)
      const now = parts.humanInbox.unseen().filter((id) => ids.includes(id))
      if (now.length > 0)
        isWatched(ports)
          .then((yes) => (yes ? read(now) : undefined))
          .catch(fault)
    },
    read: (ids) => void read(ids).catch(fault),
    pressed: noteKeys(bus),
    awaySeen: () => {
      noteAwaySeen(bus)
      store.update((room) => ({ ...room, away: undefined }))
    },
    unseen: parts.humanInbox.unseen,
    known: () => knownIn(store.room(), bus),
    close: async () => {
      head.close()
      await Promise.all([feed.close(), busy])
    },
  }
}

/** A key is noted for the home, and looked at the file for it, no oftener than this. In milliseconds. */
const KEYS_MS = 60_000

function noteKeys(bus: Bus): () => void {
  let noted = Number.NEGATIVE_INFINITY
  return () => {
    const now = bus.clock.now()
    if (Math.abs(now - noted) < KEYS_MS) return
    noted = now
    noteKey(bus)
  }
}

function listUnread({ store, humanInbox }: Pick<Parts, 'store' | 'humanInbox'>): void {
  const unread = humanInbox.unread()
  store.update((room) => (isSame(room.unread, unread) ? room : { ...room, unread }))
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && now.every((one, at) => one === before[at])
}

/** The same trouble at every look is told once. */
function onceEach({ home }: Bus, store: Store): (error: unknown) => void {
  let last = ''
  return (error) => {
    const { message, hint } = failureOf(homeError(home, error))
    if (message !== last) store.tell('error', `${message}\n${hint}`)
    last = message
  }
}

function follow(
  bus: Bus,
  parts: Parts,
  bell: () => void,
  fault: (error: unknown) => void,
): Pick<Feed, 'close'> {
  const { store, humanInbox, waiting, head } = parts
  const arrivals: Arrivals = openArrivals(bus, store, humanInbox, (entry) => {
    head.needs()
    if (entry.to === HUMAN) bell()
  })
  const inbox = createThrottle(
    () => {
      if (!existsSync(bus.home.root)) return
      arrivals.inbox()
      listUnread(parts)
    },
    INBOX_MS,
    fault,
  )
  const feed = openFeed(bus, BACKLOG, {
    past: arrivals.past,
    event: (event) => {
      arrivals.event(event)
      if (typeof event.in_reply_to === 'string')
        waiting.answered(event.in_reply_to, String(event.from))
      head.people()
    },
    inbox: inbox.ask,
    states: () => {
      head.people()
      head.needs()
    },
    slow: (why) =>
      fault(new CodedError('FAULT', `file events are not available (${why})`, { hint: SLOW })),
    trouble: (trouble) =>
      store.update((room) => (room.trouble === trouble ? room : { ...room, trouble })),
    fault,
  })
  return {
    close: () => {
      inbox.close()
      return feed.close()
    },
  }
}

async function submit(
  line: string,
  { store, waiting, head }: Parts,
  ports: Ports,
): Promise<Submitted> {
  const intent = parseInput(line, openDecisions(store.room()))
  const goTo = nextNumber(store.room())
  if (intent.do === 'nothing') return { exit: 0 }
  if (intent.do === 'quit') return { exit: 0, quit: true }
  if (intent.do === 'open') return { exit: 0, open: intent.to }
  if (intent.do === 'inbox') return { exit: 0, inbox: true }
  if (intent.do === 'help' || intent.do === 'run' || intent.do === 'decision')
    store.tell('typed', line.trim())
  if (intent.do === 'help') store.tell('answer', helpText('words'))
  const { notices, exit, addressee, sent, asked } = await perform(
    intent,
    addresseeOf(store.room()),
    ports,
  )
  if (addressee !== undefined) store.update((room) => ({ ...room, addressee }))
  // The history will tell of it as well; a message stands in the room once.
  if (sent && !store.has(sent.id)) store.note(entryOfMessage(sent))
  if (sent && asked) waiting.add(sent)
  for (const { tone, text } of notices) store.tell(tone, text)
  head.people()
  head.needs()
  return { exit, goTo }
}

function knownIn(room: Room, bus: Bus): Completable {
  const ids = room.entries.flatMap((entry) => (entry.type === 'message' ? [shortId(entry.id)] : []))
  return {
    names: [...room.people.map(({ name }) => name), ...remoteNames(bus)],
    words: SLASH_WORDS,
    ids: ids.slice(-IDS).reverse(),
    numbers: openDecisions(room),
    chains: allHeld(bus).map(({ chain }) => shortId(chain)),
  }
}

/**
 * Loads what the room will run later: an update may replace this program's files while it is open.
 * Each is a file of its own, which whoever runs it finds loaded then.
 */
async function loadAhead(commands: Ports['commands']): Promise<void> {
  await Promise.all([
    commands.load(),
    import('../bus/mail/archive.ts'),
    import('../bus/index/escalations.ts'),
    import('../doorbell/human.ts'),
    import('../system/tmux.ts'),
  ])
}
