import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import { heldMarks } from '../../bus/held.ts'
import { type BadFile, markRead, openInbox } from '../../bus/inbox.ts'
import { findSession, readSessions } from '../../bus/registry.ts'
import { unreadCount } from '../../bus/unread.ts'
import { CodedError } from '../../errors.ts'
import { noteShown } from '../../gate/reads.ts'
import { HUMAN } from '../../message/name.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Identity } from '../../session/identity.ts'
import { invalidArgument } from '../argument.ts'
import { addCommand } from '../command.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { asReaderOf } from '../readerOf.ts'
import { unknownSession } from '../recipient.ts'
import { type Form, type Selection, selectAll, selectWithin } from '../render/budget.ts'
import { renderCut } from '../render/cut.ts'
import { jsonForm, renderJson, renderRest, textForm } from '../render/inbox.ts'
import { renderInboxFoot, renderInboxHead, renderMessage } from '../render/message.ts'

/** How much is printed: so many bytes, as they come out in this form. */
export type Budget = { bytes: number; form: (name: string, held: Record<string, string>, nowMs: number) => Form }

export type InboxOptions = { name?: string; peek?: boolean; limit?: number; budget?: Budget }

/**
 * What is unread for `name`, and what of it is shown; `unread` counts all of it; `held` has the reason for those that are held back, by id, `bad` the files that
 * were set aside.
 */
export type Inbox = Selection & {
  name: string
  /** Whether the command line said whose inbox: what is typed next has to say it, too. */
  named: boolean
  unread: number
  /** Milliseconds since 1970: what `3 minutes ago` is counted from. */
  now: number
  held: Record<string, string>
  bad: BadFile[]
  peek: boolean
}

/** What is printed where nothing else is said, in bytes: a screen or two, and few tokens. */
export const DEFAULT_BUDGET = 8 * 1024
/** Below this there may be no room for a line of a body. */
const MIN_BUDGET = 1024

/** Shows an inbox, and tells of each message that it was accepted. */
type Show = (inbox: Inbox, accepted: (id: string) => void) => void

type InboxPorts = Pick<Ports, 'env' | 'bus' | 'say' | 'isTerminal'>

type Flags = {
  peek?: boolean
  limit?: number
  budget?: number
  full?: boolean
  json?: boolean
  count?: boolean
}

export function inboxCommand(program: Command, ports: Ports, run = runInbox): void {
  addCommand(
    program,
    'inbox',
    'print unread messages, urgent ones first, then the oldest, and mark them read',
    'agent-chat inbox\nagent-chat inbox --peek --limit 3\nagent-chat inbox --full',
  )
    .argument('[name]', 'whose inbox, where nothing else tells')
    .option('--peek', 'leave them unread')
    .option('--count', 'print the number of unread messages alone')
    .option('--limit <n>', 'at most this many', parseCount)
    .option(
      '--budget <bytes>',
      `print at most so much, ${DEFAULT_BUDGET} without it; the rest stays unread`,
      parseBudget,
    )
    .option('--full', 'print all of it, however long')
    .action(async (name: string | undefined, flags: Flags) => {
      const request = requestOf(name, flags)
      if (flags.count) {
        const { name: whose, unread } = await countUnread(request, ports)
        ports.print(flags.json ? `${JSON.stringify({ name: whose, unread })}\n` : `${unread}\n`)
        return
      }
      await run(request, ports, flags.json ? printJson(ports, flags.budget !== undefined) : printText(ports))
    })
}

/** Data is whole unless a budget is asked for. */
function requestOf(name: string | undefined, flags: Flags): InboxOptions {
  const { peek, limit, budget, full, json } = flags
  if (full && budget !== undefined) {
    throw new CodedError('USAGE', '--full and --budget disagree', { hint: 'leave one of them out' })
  }
  const bytes = full || (json && budget === undefined) ? undefined : (budget ?? DEFAULT_BUDGET)
  const form: Budget['form'] = (whose, held, now) => (json ? jsonForm(whose, held) : textForm(whose, held, now))
  return {
    ...(name === undefined ? {} : { name }),
    ...(peek === undefined ? {} : { peek }),
    ...(limit === undefined ? {} : { limit }),
    ...(bytes === undefined ? {} : { budget: { bytes, form } }),
  }
}

/**
 * Shows the unread messages, and marks each as read once `show` has seen it accepted; one that is only named stays unread. Two readers never show the same
 * one.
 */
export async function runInbox(options: InboxOptions, ports: InboxPorts, show: Show): Promise<void> {
  let named = false
  const owner = async () => {
    const { name, source } = await inboxOwner(options, ports)
    named = source === 'argument'
    return name
  }
  const read = (name: string) => readAs({ name, named }, options, ports, show)
  await asReaderOf(ports.bus(), owner, options.peek === true, read)
}

function readAs(
  { name, named }: Pick<Inbox, 'name' | 'named'>,
  options: InboxOptions,
  ports: InboxPorts,
  show: Show,
): void {
  const bus = ports.bus()
  const source = openInbox(bus, name)
  const now = bus.clock.now()
  const held = source.left() === 0 ? {} : reasonsToHold(bus, name)
  const { limit = Number.POSITIVE_INFINITY, budget } = options
  const chosen = budget
    ? selectWithin(source, limit, budget.bytes, budget.form(name, held, now))
    : selectAll(source, limit)
  for (const { path, why } of source.bad)
    ports.say(`agent-chat: ${visibleLine(path)} is no message (${why}); it is kept there`)
  if (!options.peek) noteShown(bus, name, chosen.messages)
  const unread = chosen.messages.length + chosen.rest.length + chosen.more
  show({ ...chosen, name, named, unread, now, held, bad: source.bad, peek: options.peek === true }, (id) => {
    if (!options.peek) markRead(bus, name, id)
  })
}

function reasonsToHold(bus: Bus, name: string): Record<string, string> {
  const held = Object.entries(heldMarks(bus.home, name)).filter(([, { ring }]) => ring === 'held')
  return Object.fromEntries(held.map(([id, { why }]) => [id, why]))
}

/** How many messages are unread, by their names alone: none is opened. */
export async function countUnread(options: InboxOptions, ports: InboxPorts): Promise<{ name: string; unread: number }> {
  const { name } = await inboxOwner(options, ports)
  return { name, unread: unreadCount(ports.bus().home, name) }
}

/** A number of things to show, from 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw invalidArgument('It must be a whole number from 1.')
}

/** A number of bytes that leaves room for a message's own lines. */
function parseBudget(text: string): number {
  const bytes = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
  if (bytes >= MIN_BUDGET) return bytes
  throw invalidArgument(`It must be a whole number of bytes from ${MIN_BUDGET}.`)
}

async function inboxOwner(options: InboxOptions, ports: InboxPorts): Promise<Identity> {
  const { home } = ports.bus()
  const sessions = () => readSessions(home)
  const hint =
    'join first with: agent-chat join <name>, or name the inbox: agent-chat inbox <name>; yours is: agent-chat inbox human'
  const found = await whoSpeaks(ports, options.name, undefined, hint)
  const { name, source } = found
  const known = source !== 'argument' || name === HUMAN || existsSync(home.inbox(name)) || findSession(sessions(), name)
  if (!known) throw unknownSession(name, Object.keys(sessions()))
  return found
}

function printText(ports: Ports) {
  return (inbox: Inbox, accepted: (id: string) => void) => {
    const { messages, cut, name, held, unread, now } = inbox
    if (messages.length === 0) return ports.print(`no unread messages for @${name}\n`)
    ports.print(renderInboxHead(messages, name))
    for (const message of messages) {
      const { id } = message
      ports.print(cut?.message.id === id ? renderCut(cut, now, held[id]) : renderMessage(message, now, held[id]))
      accepted(id)
    }
    const rest = renderRest(inbox, unread - messages.length)
    if (rest !== '') ports.print(rest)
    ports.print(renderInboxFoot(messages, name))
  }
}

function printJson(ports: Ports, budgeted: boolean) {
  return (inbox: Inbox, accepted: (id: string) => void) => {
    ports.print(renderJson(inbox, budgeted))
    for (const { id } of inbox.messages) accepted(id)
  }
}
