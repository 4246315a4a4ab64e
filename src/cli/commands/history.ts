import type { Command } from 'commander'
import type { SentEvent } from '../../bus/history.ts'
import {
  followMessages,
  type HistoryRequest,
  historyJson,
  lastMessages,
} from '../../chat/history.ts'
import { tellUnknown } from '../../chat/recipient.ts'
import { parseName } from '../../message/name.ts'
import { PRIORITIES } from '../../message/priority.ts'
import { shortId } from '../../message/shortId.ts'
import { localTime } from '../../message/time.ts'
import { visibleLine } from '../../message/visible.ts'
import { addCommand } from '../command.ts'
import { invalidArgument, parseAge } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'

type Flags = Omit<HistoryRequest, 'count'> & { limit?: number; follow?: boolean; json?: boolean }

/** Enough to see a conversation, few enough to read. */
const DEFAULT_COUNT = 20

export function historyCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'history',
    'agent-chat history 5 --with @frontend\nagent-chat history --from @backend --since 2h\nagent-chat history --follow',
  )
    .argument('[count]', 'the number of messages', parseHistoryCount, DEFAULT_COUNT)
    .option('-n, --limit <count>', 'the same as count', parseHistoryCount)
    .option('--with <name>', 'only messages from or to this session')
    .option('--from <name>', 'only messages from this session')
    .option('--since <age>', 'only messages of this age or newer: 30m, 12h, 2d, 4w', parseAge)
    .option('--follow', 'keep printing new messages until Ctrl-C')
    .action(async (count: number, { follow, json, limit, ...flags }: Flags) => {
      const paint = await painter(ports, /@human|held: .*$/gm)
      const request = { ...flags, count: limit ?? count }
      if (follow) {
        const give = json
          ? (event: SentEvent) => `${JSON.stringify(historyJson(event, ports))}\n`
          : (event: SentEvent) => paint(renderEvent(event))
        return followMessages(request, ports, (event) => ports.print(give(event)))
      }
      const messages = lastMessages(request, ports)
      if (messages.length === 0) tellUnknown([request.with, request.from], ports)
      if (json)
        return ports.print(
          `${JSON.stringify({ messages: messages.map((event) => historyJson(event, ports)) })}\n`,
        )
      ports.print(messages.length === 0 ? none(request) : paint(messages.map(renderEvent).join('')))
    })
}

function none(request: HistoryRequest): string {
  if (request.count === 0) return ''
  const about = [
    ...(request.with === undefined ? [] : [` from or to @${parseName(request.with)}`]),
    ...(request.from === undefined ? [] : [` from @${parseName(request.from)}`]),
    ...(request.since === undefined ? [] : [' of this age']),
  ]
  return `no messages${about.join(',')} yet\n`
}

/** One message on one line: its id, when, who to whom, what about. */
function renderEvent(event: SentEvent): string {
  const what = visibleLine(event.subject ?? event.preview).slice(0, 200)
  const priority = PRIORITIES.find((known) => known === event.priority)
  const kind = priority === undefined ? event.kind : `${priority} ${event.kind}`
  const held = event.ring === 'held' ? `  held: ${visibleLine(String(event.why))}` : ''
  const { id, at, from, to } = event
  return `${shortId(id)}  ${localTime(at)}  @${from} → @${to}  ${kind}  ${what}${held}\n`
}

function parseHistoryCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidArgument('is not a number of messages')
}
