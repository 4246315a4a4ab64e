import type { Command } from 'commander'
import { inboxJson, jsonForm } from '../../chat/inbox/json.ts'
import {
  type Budget,
  countInbox,
  type Inbox,
  type InboxRequest,
  readInbox,
} from '../../chat/inbox.ts'
import { reviveWatcher } from '../../chat/revive.ts'
import { CodedError } from '../../errors.ts'
import { addCommand } from '../command.ts'
import { invalidArgument, parseCount } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { renderCut, renderRest, textForm } from '../render/inbox.ts'
import { renderInboxFoot, renderInboxHead, renderMessage } from '../render/message.ts'
import { painter } from '../render/paint.ts'

/** What is printed where nothing else is said, in bytes: a screen or two, and few tokens. */
const DEFAULT_BUDGET = 8 * 1024
/** Below this there may be no room for a line of a body. */
const MIN_BUDGET = 1024

type Flags = {
  peek?: boolean
  limit?: number
  budget?: number
  full?: boolean
  json?: boolean
  count?: boolean
}

export function inboxCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'inbox',
    'agent-chat inbox\nagent-chat inbox --peek -n 3\nagent-chat inbox --full',
  )
    .argument('[name]', 'the inbox of this session, if agent-chat cannot tell')
    .option('--peek', 'keep them unread')
    .option('--count', 'print only the number of unread messages')
    .option('-n, --limit <n>', 'print at most this many messages', parseCount)
    .option(
      '--budget <bytes>',
      `print at most this many bytes (default: ${DEFAULT_BUDGET}); the rest stays unread`,
      parseBudget,
    )
    .option('--full', 'print everything, however long')
    .action(async (name: string | undefined, flags: Flags) => {
      const request = requestOf(name, flags)
      if (flags.count) {
        const { name: whose, unread } = await countInbox(request, ports)
        ports.print(flags.json ? `${JSON.stringify({ name: whose, unread })}\n` : `${unread}\n`)
        return
      }
      await readInbox(
        { ...request, taker: flags.peek ? undefined : await ports.outputTaker() },
        ports,
        flags.json
          ? printJson(ports, flags.budget !== undefined)
          : printText(ports, await painter(ports, /^held: .*; your user can release it: .*$/gm)),
      )
      await reviveWatcher(ports)
      if (!flags.json && (await ports.isTerminal('stdout')))
        await (await import('../../feed/away.ts')).noteTyped(ports)
    })
}

/** Data is whole unless a budget is asked for. */
function requestOf(name: string | undefined, flags: Flags): InboxRequest {
  const { peek, limit, budget, full, json } = flags
  if (full && budget !== undefined) {
    throw new CodedError('USAGE', '--full and --budget exclude each other', {
      hint: 'leave one out',
    })
  }
  const bytes = full || (json && budget === undefined) ? undefined : (budget ?? DEFAULT_BUDGET)
  const form: Budget['form'] = json ? jsonForm : textForm
  return { name, peek, limit, budget: bytes === undefined ? undefined : { bytes, form } }
}

/** A number of bytes that leaves room for a message's own lines. */
function parseBudget(text: string): number {
  const bytes = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
  if (bytes >= MIN_BUDGET) return bytes
  throw invalidArgument(`is not a number of bytes from ${MIN_BUDGET}`)
}

const WITHHELD =
  '\nTell your user that hooks do not run here. All of this stays unread until they do: agent-chat doctor\n'

function printText(ports: Ports, paint: (text: string) => string) {
  return (inbox: Inbox, accepted: (id: string) => void) => {
    const { messages, cut, name, held, unread, now, withheld } = inbox
    if (messages.length === 0) return ports.print(`no unread messages for @${name}\n`)
    ports.print(renderInboxHead(messages, name))
    for (const message of messages) {
      const { id } = message
      ports.print(
        paint(
          cut?.message.id === id
            ? renderCut(cut, now, held[id])
            : renderMessage(message, now, held[id]),
        ),
      )
      accepted(id)
    }
    const rest = renderRest(inbox, unread - messages.length)
    if (rest !== '') ports.print(rest)
    ports.print(withheld === undefined ? renderInboxFoot(messages, name) : WITHHELD)
  }
}

function printJson(ports: Ports, budgeted: boolean) {
  return (inbox: Inbox, accepted: (id: string) => void) => {
    ports.print(`${JSON.stringify(inboxJson(inbox, budgeted))}\n`)
    for (const { id } of inbox.messages) accepted(id)
  }
}
