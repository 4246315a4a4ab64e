import { existsSync } from 'node:fs'
import { hostOf } from '../../message/address.ts'
import { freeDepth, isFree } from '../../message/free.ts'
import { parseId, timeOfId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { fromWire, qualified } from '../../message/wire.ts'
import { makeDirectory } from '../../system/files.ts'
import { withPidLock } from '../../system/pidlock.ts'
import type { Bus } from '../bus.ts'
import { eventsFromEnd, isSent, record, sentFields } from '../history.ts'
import type { Home } from '../home.ts'
import { inHome } from '../homeError.ts'
import { readIndex } from '../index/indexFile.ts'
import { answersTo } from '../index/threads.ts'
import { ring } from '../mail/bell.ts'
import type { Silent } from '../mail/draft.ts'
import { messageAt } from '../mail/inbox.ts'
import { sendReceived } from '../mail/send.ts'
import { withNamesNow } from '../names/names.ts'
import { findSession, nameMeant, readSessions, type Sessions } from '../names/registry.ts'
import { keepPoison } from './poison.ts'
import { readWire, type Wire } from './wire.ts'

/**
 * What became of a message from another machine. `arrived`: it is in its recipient's inbox, on the
 * disk; `again`: it was before. `refused`: nobody here has that name. `bad`: it is no message that
 * this machine may send, and is kept aside. A fault of this machine's own is thrown instead: then
 * the message is to come again.
 */
export type Received =
  | { is: 'arrived'; message: Message; silent?: Silent | undefined; warning?: string | undefined }
  | { is: 'again' }
  | { is: 'refused' | 'bad'; why: string }

/** Who is here, who sends, as the transport proves it, and what keeps a message from ringing. */
export type Receiving = {
  me: string
  peer: string
  silence: (message: Message, answered: Message | undefined) => Silent | undefined
}

/** Another process may be at the same message: another link, or one whose end nobody saw yet. */
const LOCK_MS = 10_000

/** Far beyond every cap, and still a number that a header may have. */
const MOST_HOPS = 1000

/** So far back a message that came before is looked for in the history. */
const LAST_EVENTS = 2000

/**
 * Takes a message from another machine, as `sendMessage()` would have sent it here, and any number
 * of times: the files are the only ledger. May be killed at any step and called again. Throws as
 * `sendMessage()`.
 */
export function receive(bus: Bus, wire: Wire, receiving: Receiving): Received {
  const { home, processes } = bus
  const { me, peer } = receiving
  const read = readWire(wire, { me, peer }, bus.clock.now())
  if (typeof read === 'string') {
    keepPoison(bus, peer, wire, read)
    return { is: 'bad', why: read }
  }
  return inHome(home, () => {
    makeDirectory(home.peer(peer))
    return withPidLock(home.receiveLock(peer), processes, LOCK_MS, () =>
      take(bus, fromWire(read, me), wire, receiving),
    )
  })
}

function take(bus: Bus, given: Message, wire: Wire, { peer, silence }: Receiving): Received {
  const { home } = bus
  const { id } = given
  const answered = answeredBy(bus, given, peer)
  const archived = messageAt(home.message(id), id)
  if (archived) {
    if (!isSame(archived, given)) {
      const why = 'another message has its id'
      keepPoison(bus, peer, wire, why)
      return { is: 'bad', why }
    }
    return again(bus, archived, answered)
  }
  if (isOld(bus, id) && readIndex(home.peerPruned(peer)).includes(id)) return { is: 'again' }
  const sessions = readSessions(home)
  const to = nameMeant(home, sessions, given.to)
  if (!isKnown(bus, sessions, to))
    return { is: 'refused', why: `no session named @${to} is registered` }
  const { inReplyTo, ...rest } = given
  const known = answered !== undefined || (inReplyTo && qualified(inReplyTo) !== undefined)
  const message: Message = {
    ...rest,
    ...(known && inReplyTo ? { inReplyTo } : {}),
    ...lineage(home, given, answered),
    to,
  }
  const silent = silence(message, answered)
  const sent = sendReceived(bus, message, { silent, inReplyTo: answered })
  if (sent === false) return again(bus, message, answered)
  return { is: 'arrived', silent, ...sent }
}

/** One that came before: its delivery, its line in the history and its ring may be missing. */
function again(bus: Bus, archived: Message, answered: Message | undefined): Received {
  const { home } = bus
  const message = withNamesNow(home, archived)
  const { id, to } = message
  if (existsSync(home.unread(to, id))) {
    if (!isRecorded(bus, id)) {
      record(bus, 'sent', sentFields(message))
      ring(bus, to)
    }
    return { is: 'again' }
  }
  // After the look at the unread ones: a reader moves them from there to here.
  if ([home.read(to, id), `${home.badDirectory(to)}/${id}.md`].some((path) => existsSync(path)))
    return { is: 'again' }
  sendReceived(bus, message, { inReplyTo: answered }, true)
  return { is: 'again' }
}

function isRecorded({ home }: Bus, id: string): boolean {
  let looked = 0
  for (const event of eventsFromEnd(home, id)) {
    if (isSent(event) && event.id === id) return true
    looked += 1
    if (looked > LAST_EVENTS) return true
  }
  return false
}

/**
 * The message of this home that is answered, where that machine has to do with it: else it would
 * take part in a conversation that it was never in.
 */
function answeredBy({ home }: Bus, { inReplyTo }: Message, peer: string): Message | undefined {
  const answered =
    inReplyTo === undefined ? undefined : messageAt(home.message(inReplyTo), inReplyTo)
  if (answered === undefined) return undefined
  return [answered.from, answered.to].some((name) => hostOf(name) === peer) ? answered : undefined
}

/**
 * What another machine says of conversation and chain counts where it names that machine's own, or
 * those of the message that is answered. Its hops count one more, and more than that message's; a
 * free answer has that message's own.
 */
function lineage(
  home: Home,
  given: Message,
  answered: Message | undefined,
): Pick<Message, 'thread' | 'chain' | 'hops' | 'extra'> {
  const { id, thread, chain } = given
  const { depth: _, ...extra } = given.extra
  const furthest = Math.max(given.hops, freeDepth(given) ?? 0, answered?.hops ?? 0)
  // Whether it is free is judged here, by what was asked and answered before.
  const free = answered && isFree(answered, given, answersTo(home, answered, given.from))
  const known = (wanted: string, own: string | undefined) =>
    qualified(wanted) !== undefined ? wanted : wanted === own ? wanted : undefined
  return {
    thread: known(thread, answered?.thread) ?? answered?.thread ?? id,
    chain: known(chain, answered?.chain) ?? answered?.chain ?? id,
    hops: free ? answered.hops : Math.min(furthest + 1, MOST_HOPS),
    extra: free ? { ...extra, depth: String(Math.min(furthest, MOST_HOPS)) } : extra,
  }
}

/** Only what is older than this can have been pruned here. */
const PRUNABLE_MS = 60_000

function isOld({ clock }: Bus, id: string): boolean {
  return clock.now() - timeOfId(id) > PRUNABLE_MS
}

/** Somebody with that name is here, or was, or is a worker: their inbox keeps it. */
function isKnown({ home }: Bus, sessions: Sessions, name: string): boolean {
  return (
    name === HUMAN ||
    findSession(sessions, name) !== undefined ||
    [home.inbox(name), home.agentFile(name)].some((path) => existsSync(path))
  )
}

function isSame(archived: Message, given: Message): boolean {
  return (
    archived.from === given.from &&
    archived.body === given.body &&
    archived.timestamp === given.timestamp &&
    parseId(archived.id)?.micros === parseId(given.id)?.micros
  )
}
