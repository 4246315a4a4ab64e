import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import { heldMarks } from '../../bus/held.ts'
import { type InboxContent, markRead, readUnread } from '../../bus/inbox.ts'
import { asOnlyReader } from '../../bus/reader.ts'
import { findSession, readSessions } from '../../bus/registry.ts'
import { unreadIds } from '../../bus/unread.ts'
import { noteShown } from '../../gate/reads.ts'
import { HUMAN } from '../../message/name.ts'
import { invalidArgument } from '../argument.ts'
import { addCommand } from '../command.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { unknownSession } from '../recipient.ts'
import { messageJson, renderInboxFoot, renderInboxHead, renderMessage } from '../render/message.ts'
import { visibleLine } from '../render/text.ts'

export type InboxOptions = { name?: string; peek?: boolean; limit?: number }

/** What is unread for `name`; `unread` counts all of it, also beyond the limit; `held` has the reason for those that are held back, by id. */
export type Inbox = InboxContent & { name: string; unread: number; held: Record<string, string> }

type InboxPorts = Pick<Ports, 'env' | 'bus' | 'say' | 'isTerminal'>

export function inboxCommand(program: Command, ports: Ports, run = runInbox): void {
  addCommand(
    program,
    'inbox',
    'print unread messages, oldest first, and mark them read',
    'agent-chat inbox\nagent-chat inbox --peek --limit 3',
  )
    .argument('[name]', 'whose inbox, where nothing else tells')
    .option('--peek', 'leave them unread')
    .option('--count', 'print the number of unread messages alone')
    .option('--limit <n>', 'at most this many', parseCount)
    .action(
      async (name: string | undefined, options: Omit<InboxOptions, 'name'> & { json?: boolean; count?: boolean }) => {
        const request = { ...options, ...(name === undefined ? {} : { name }) }
        if (options.count) {
          const { name: whose, unread } = await countUnread(request, ports)
          ports.print(options.json ? `${JSON.stringify({ name: whose, unread })}\n` : `${unread}\n`)
          return
        }
        await run(request, ports, options.json ? printJson(ports) : printText(ports))
      },
    )
}

/** Shows the unread messages, and marks each as read once `show` has seen it accepted. Two readers never show the same one. */
export async function runInbox(
  options: InboxOptions,
  ports: InboxPorts,
  show: (inbox: Inbox, accepted: (id: string) => void) => void,
): Promise<void> {
  const bus = ports.bus()
  const name = await inboxOwner(options, ports)
  const read = () => {
    const content = readUnread(bus, name, options.limit)
    for (const { path, why } of content.bad)
      ports.say(`agent-chat: ${visibleLine(path)} is no message (${why}); it is kept there`)
    const unread = Math.max(unreadIds(bus.home, name).length, content.messages.length)
    if (!options.peek) noteShown(bus, name, content.messages)
    show({ ...content, name, unread, held: content.messages.length === 0 ? {} : reasonsToHold(bus, name) }, (id) => {
      if (!options.peek) markRead(bus, name, id)
    })
  }
  // Who marks nothing can keep nobody from anything, and reads also where no lock can be written.
  return options.peek ? read() : asOnlyReader(bus, name, read)
}

function reasonsToHold(bus: Bus, name: string): Record<string, string> {
  const held = Object.entries(heldMarks(bus.home, name)).filter(([, { ring }]) => ring === 'held')
  return Object.fromEntries(held.map(([id, { why }]) => [id, why]))
}

/** How many messages are unread, by their names alone: none is opened. */
export async function countUnread(options: InboxOptions, ports: InboxPorts): Promise<{ name: string; unread: number }> {
  const name = await inboxOwner(options, ports)
  return { name, unread: unreadIds(ports.bus().home, name).length }
}

/** A number of things to show, from 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw invalidArgument('It must be a whole number from 1.')
}

async function inboxOwner(options: InboxOptions, ports: InboxPorts): Promise<string> {
  const { home } = ports.bus()
  const sessions = () => readSessions(home)
  const hint = 'join first with: agent-chat join <name>, or name the inbox: agent-chat inbox <name>'
  const { name, source } = await whoSpeaks(ports, options.name, undefined, hint)
  const known = source !== 'argument' || name === HUMAN || existsSync(home.inbox(name)) || findSession(sessions(), name)
  if (!known) throw unknownSession(name, Object.keys(sessions()))
  return name
}

function printText(ports: Ports) {
  return (inbox: Inbox, accepted: (id: string) => void) => {
    if (inbox.messages.length === 0) return ports.print(`no unread messages for @${inbox.name}\n`)
    ports.print(renderInboxHead(inbox.messages, inbox.name))
    const now = ports.bus().clock.now()
    for (const message of inbox.messages) {
      ports.print(renderMessage(message, now, inbox.held[message.id]))
      accepted(message.id)
    }
    const more = inbox.unread - inbox.messages.length
    if (more > 0) ports.print(`\n${more} more unread: agent-chat inbox\n`)
    ports.print(renderInboxFoot(inbox.messages, inbox.name))
  }
}

function printJson(ports: Ports) {
  return (inbox: Inbox, accepted: (id: string) => void) => {
    const { name, unread, messages, bad, held } = inbox
    const reason = (id: string) => (Object.hasOwn(held, id) ? { held: held[id] } : {})
    const json = messages.map((message) => ({ ...messageJson(message), ...reason(message.id) }))
    ports.print(`${JSON.stringify({ name, unread, messages: json, bad })}\n`)
    for (const message of messages) accepted(message.id)
  }
}
