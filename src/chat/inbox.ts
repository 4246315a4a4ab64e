import { existsSync } from 'node:fs'
import { type BadFile, markRead, openInbox } from '../bus/mail/inbox.ts'
import { type Mark, marksOf } from '../bus/mail/marks.ts'
import { unreadCount } from '../bus/mail/unread.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { visibleLine } from '../message/visible.ts'
import type { Identity } from '../session/identity.ts'
import { seenBy, whyWithheld } from '../session/withheld.ts'
import { noteShown } from '../trust/sendGate/shown.ts'
import { atOwnTerminal, whoMaybe, whoSpeaks } from './identity.ts'
import { type Form, type Selection, selectAll, selectWithin } from './inbox/budget.ts'
import { keepUnread, whyKept } from './keepUnread.ts'
import type { Ports } from './ports.ts'
import { asReaderOf } from './reader.ts'
import { unknownSession } from './recipient.ts'

/** How much is shown: so many bytes, as they come out in this form. */
export type Budget = {
  bytes: number
  form: (name: string, held: Record<string, string>, nowMs: number) => Form
}

/**
 * `name`: whose inbox, where nothing else tells. `peek`: they are left unread. `taker`: what takes
 * the output and may pass only some of it on: what is shown stays unread then, and rings no more.
 */
export type InboxRequest = {
  name?: string | undefined
  peek?: boolean | undefined
  taker?: string | undefined
  limit?: number | undefined
  budget?: Budget | undefined
}

/**
 * What is unread for `name`, and what of it is shown; `unread` counts all of it; `held` has the
 * reason for those that are held back, by id, `bad` the files that were set aside.
 */
export type Inbox = Selection & {
  name: string
  /** Whether the request said whose inbox: what is typed next has to say it, too. */
  named: boolean
  unread: number
  /** Milliseconds since 1970: what `3 minutes ago` is counted from. */
  now: number
  held: Record<string, string>
  bad: BadFile[]
  /** Whether it stays unread. */
  peek: boolean
  /** Why the texts are not shown, where its reader is a session whose hooks do not run. */
  withheld?: string | undefined
}

/** Shows an inbox, and tells of each message that it was accepted. */
type Show = (inbox: Inbox, accepted: (id: string) => void) => void

type InboxPorts = Pick<Ports, 'env' | 'bus' | 'notice' | 'isTerminal' | 'typed'>

/**
 * Shows the unread messages, and marks each as read once `show` says that it was accepted; one that
 * is only named stays unread, and so does each whose text is withheld. Two readers never show the
 * same one.
 */
export async function readInbox(
  request: InboxRequest,
  ports: InboxPorts,
  show: Show,
): Promise<void> {
  let reader: Identity | undefined
  const owner = async () => {
    reader = await inboxOwner(request, ports)
    return reader.name
  }
  let taken: string | undefined
  const read = (name: string) => {
    const as: Identity = { name, source: reader?.source ?? 'argument' }
    readAs(as, request, ports, (inbox, accepted) => {
      show(inbox, accepted)
      if (inbox.named && !inbox.peek && inbox.messages.length > 0) taken = name
    })
  }
  await asReaderOf(ports.bus(), owner, request.peek === true, read)
  if (taken !== undefined) await tellTaken(taken, ports)
}

/** A person who only wanted to look has read what an agent elsewhere was to read. */
async function tellTaken(name: string, ports: InboxPorts): Promise<void> {
  const session = findSession(readSessions(ports.bus().home), name)
  if (!session?.pane || whoMaybe(ports) !== undefined || !(await atOwnTerminal(ports))) return
  ports.notice(
    `these are read now, so @${name} is not woken for them; to only look: agent-chat inbox ${name} --peek`,
  )
}

function readAs(reader: Identity, request: InboxRequest, ports: InboxPorts, show: Show): void {
  const bus = ports.bus()
  const { name } = reader
  const withheld = whyWithheld(reader, bus)
  const peek = request.peek === true || withheld !== undefined
  const keep = peek ? undefined : whyKept(reader, request.taker, ports)
  const stays = peek || keep !== undefined
  const opened = openInbox(bus, name)
  const seen = seenBy(reader, bus, withheld)
  const next = () => {
    const message = opened.next()
    return message && seen(message)
  }
  const source = { ...opened, next }
  const now = bus.clock.now()
  const marks = source.left() === 0 ? {} : marksOf(bus.home, name)
  const held = reasonsToHold(marks)
  const { limit = Number.POSITIVE_INFINITY, budget } = request
  const found = budget
    ? selectWithin(source, limit, budget.bytes, budget.form(name, held, now))
    : selectAll(source, limit)
  const { messages, rest } = found
  const chosen = { ...found, messages: inTime(messages, marks), rest: inTime(rest, marks) }
  for (const { path, why } of source.bad)
    ports.notice(`${visibleLine(path)} is not a message (${why}); the file stays there`)
  if (!peek) noteShown(bus, name, chosen.messages)
  const unread = chosen.messages.length + chosen.rest.length + chosen.more
  show(
    {
      ...{ ...chosen, name, named: reader.source === 'argument' },
      ...{ unread, now, held, bad: source.bad, peek: stays, withheld },
    },
    (id) => {
      if (!stays) markRead(bus, name, id)
    },
  )
  if (keep !== undefined) keepUnread(reader, chosen.messages, keep, ports)
}

/**
 * Urgent messages first, then by time. Quiet ones are chosen last, so that they are left over where
 * there is no room for all, and stand where they belong.
 */
function inTime(messages: Message[], marks: Record<string, Mark>): Message[] {
  const place = ({ id }: Message) => `${marks[id]?.ring === 'urgent' ? 0 : 1} ${id}`
  return messages.sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

function reasonsToHold(marks: Record<string, Mark>): Record<string, string> {
  const held = Object.entries(marks).filter(([, { ring }]) => ring === 'held')
  return Object.fromEntries(held.map(([id, { why }]) => [id, why]))
}

/** How many messages are unread, by their names alone: none is opened. */
export async function countInbox(
  request: InboxRequest,
  ports: InboxPorts,
): Promise<{ name: string; unread: number }> {
  const { name } = await inboxOwner(request, ports)
  return { name, unread: unreadCount(ports.bus().home, name) }
}

async function inboxOwner(request: InboxRequest, ports: InboxPorts): Promise<Identity> {
  const { home } = ports.bus()
  const sessions = () => readSessions(home)
  const hint = 'join first with: agent-chat join <name>, or name the inbox: agent-chat inbox <name>'
  const found = await whoSpeaks(ports, request.name, undefined, hint)
  const { name, source } = found
  const known =
    source !== 'argument' ||
    name === HUMAN ||
    existsSync(home.inbox(name)) ||
    findSession(sessions(), name)
  if (!known) throw unknownSession(name, Object.keys(sessions()))
  return found
}
