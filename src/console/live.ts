import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { failureOf } from '../cli/failure.ts'
import type { Ports } from '../cli/ports.ts'
import { CodedError } from '../errors.ts'
import { allHeld } from '../gate/held.ts'
import { HUMAN } from '../message/name.ts'
import { type Arrivals, openArrivals } from './arrivals.ts'
import { perform } from './deeds.ts'
import { type Feed, openFeed } from './feed.ts'
import { type Head, openHead } from './head.ts'
import { helpText } from './model/commands.ts'
import type { Completable } from './model/complete.ts'
import { entryOfMessage } from './model/fromEvent.ts'
import { parseInput } from './model/input.ts'
import { addresseeOf, emptyRoom, look, nextNumber, numberOf, type Room } from './model/room.ts'
import { openReading, type Reading } from './reading.ts'
import { createSoon } from './soon.ts'
import { type Display, openStore, type Store } from './store.ts'
import { openWaiting, type Waiting } from './waiting.ts'
import { slashWords } from './words.ts'

/** What came of a line: `exit` is the exit code that a command would have had; `quit` to leave; `goTo` the number of the entry to begin reading at. */
export type Submitted = { exit: number; quit?: true; goTo?: number }

/** The room, open. */
export type Live = {
  room: () => Room
  /** Does what a line asks for, one line after the other. Never rejects. */
  submit: (line: string) => Promise<Submitted>
  /** The human has pressed a key. */
  looked: () => void
  /** These messages stand before the human now. */
  drawn: (ids: readonly string[]) => void
  /** The ids of messages to the human that have not been drawn, oldest first. */
  unseen: () => readonly string[]
  known: () => Completable
  close: () => Promise<void>
}

/** What the parts of a room share. */
type Parts = { store: Store; reading: Reading; waiting: Waiting; head: Head; words: string[] }

/** How many messages from before are shown, and how many ids Tab knows. */
const BACKLOG = 50
const IDS = 100
/** Messages that come within this time are looked for once. In milliseconds. */
const INBOX_MS = 20

const SLOW = 'the room looks every 5 s instead; agent-chat doctor says what to do'

/** Opens the room on its home. `addressee`: for whom is what is typed without a name, until the human names another. */
export function openLive(ports: Ports, addressee: string | undefined, display: Display): Live {
  const bus = ports.bus()
  const store = openStore(emptyRoom(addressee), display, bus.clock.now)
  const fault = onceEach(store)
  const waiting = openWaiting(bus)
  const head = openHead(ports, store, waiting, fault)
  const parts: Parts = { store, reading: openReading(bus), waiting, head, words: slashWords() }
  const feed = follow(bus, parts, display.bell, fault)
  let busy: Promise<unknown> = Promise.resolve()
  return {
    room: store.room,
    submit: (line) => {
      const next = busy.then(() => submit(line, parts, ports))
      busy = next
      return next
    },
    looked: () => store.update(look),
    drawn: (ids) => void parts.reading.seen(ids).catch(fault),
    unseen: parts.reading.unseen,
    known: () => knownIn(store.room(), parts.words, bus),
    close: async () => {
      head.close()
      await Promise.all([feed.close(), busy])
    },
  }
}

/** The same trouble at every look is told once. */
function onceEach(store: Store): (error: unknown) => void {
  let last = ''
  return (error) => {
    const { message, hint } = failureOf(error)
    if (message !== last) store.tell('error', `${message}\n${hint}`)
    last = message
  }
}

function follow(bus: Bus, parts: Parts, bell: () => void, fault: (error: unknown) => void): Feed {
  const { store, reading, waiting, head } = parts
  const arrivals: Arrivals = openArrivals(bus, store, reading, (entry) => {
    head.questions()
    if (entry.to === HUMAN) bell()
  })
  const inbox = createSoon(
    () => {
      if (existsSync(bus.home.root)) arrivals.inbox()
    },
    INBOX_MS,
    fault,
  )
  const feed = openFeed(bus, BACKLOG, {
    past: arrivals.past,
    event: (event) => {
      arrivals.event(event)
      if (typeof event.in_reply_to === 'string') waiting.answered(event.in_reply_to, String(event.from))
      head.people()
    },
    inbox: inbox.ask,
    states: () => {
      head.people()
      head.questions()
    },
    slow: (why) => fault(new CodedError('FAULT', `file events cannot be had (${why})`, { hint: SLOW })),
    trouble: (trouble) => store.update((room) => (room.trouble === trouble ? room : { ...room, trouble })),
    fault,
  })
  return {
    close: () => {
      inbox.close()
      return feed.close()
    },
  }
}

async function submit(line: string, { store, reading, waiting, head, words }: Parts, ports: Ports): Promise<Submitted> {
  const intent = parseInput(line, words)
  const goTo = nextNumber(store.room())
  if (intent.do === 'nothing') return { exit: 0 }
  if (intent.do === 'quit') return { exit: 0, quit: true }
  if (intent.do === 'inbox') return oldestUnseen(store, reading)
  if (intent.do === 'help' || intent.do === 'run' || intent.do === 'decision') store.tell('typed', line.trim())
  if (intent.do === 'help') store.tell('answer', helpText(words))
  const { notices, exit, addressee, sent, asked } = await perform(intent, addresseeOf(store.room()), ports)
  if (addressee !== undefined) store.update((room) => ({ ...room, addressee }))
  // The history will tell of it as well; a message stands in the room once.
  if (sent && !store.has(sent.id)) store.note(entryOfMessage(sent))
  if (sent && asked) waiting.add(sent)
  for (const { tone, text } of notices) store.tell(tone, text)
  head.people()
  head.questions()
  return { exit, goTo }
}

function oldestUnseen(store: Store, reading: Reading): Submitted {
  const goTo = numberOf(store.room(), reading.unseen()[0] ?? '')
  if (goTo !== undefined) return { exit: 0, goTo }
  store.tell('answer', 'no unread messages for @human')
  return { exit: 0 }
}

function knownIn(room: Room, words: string[], bus: Bus): Completable {
  const ids = room.entries.flatMap((entry) => (entry.type === 'message' ? [entry.id] : []))
  return {
    names: room.people.map(({ name }) => name),
    words,
    ids: ids.slice(-IDS).reverse(),
    numbers: room.questions.flatMap(({ number }) => number ?? []),
    chains: allHeld(bus).map(({ chain }) => chain),
  }
}
