import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import type { SentEvent } from '../../bus/history.ts'
import {
  eventsSeen,
  followMessages,
  type HistoryRequest,
  heldNow,
  historyJson,
  lastMessages,
} from '../../chat/history.ts'
import { lastCalls, type ToolCallRecord } from '../../chat/mcpLog.ts'
import { tellUnknown } from '../../chat/recipient.ts'
import { CodedError } from '../../errors.ts'
import { parseAddress, quote } from '../../message/name.ts'
import { PRIORITIES } from '../../message/priority.ts'
import { shortId } from '../../message/shortId.ts'
import { clipped } from '../../message/text.ts'
import { visibleLine } from '../../message/visible.ts'
import { localTime } from '../../system/zone.ts'
import { addCommand } from '../command.ts'
import { invalidArgument, parseDuration } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'

type Flags = Omit<HistoryRequest, 'count'> & {
  limit?: number
  follow?: boolean
  mcp?: boolean
  json?: boolean
}

/** Enough to see a conversation, few enough to read. */
const DEFAULT_COUNT = 20

export function historyCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'history',
    'agent-chat history 5 --with @frontend\nagent-chat history frontend\nagent-chat history --from @backend --since 2h\nagent-chat history --follow\nagent-chat history --mcp',
  )
    .argument('[count-or-name]', 'the number of messages, or a session as in --with')
    .option('-n, --limit <count>', 'the same as count', parseHistoryCount)
    .option('--with <name>', 'only messages from or to this session')
    .option('--from <name>', 'only messages from this session')
    .option('--since <age>', 'only messages of this age or newer: 30m, 12h, 2d, 4w', parseDuration)
    .option('-f, --follow', 'keep printing new messages until Ctrl-C')
    .option('--mcp', 'list the calls of MCP tools instead, as logs/mcp.jsonl has them')
    .action(async (what: string | undefined, { follow, mcp, json, limit, ...flags }: Flags) => {
      const request = { ...flags, ...wanted(what, flags.with, limit) }
      if (mcp) return printCalls(request, follow, json, ports)
      const paint = await painter(ports, /@human|held: .*$/gm)
      if (follow) {
        const give = json
          ? (event: SentEvent) => `${JSON.stringify(historyJson(ports)(event))}\n`
          : (event: SentEvent) => paint(renderEvent(eventsSeen(ports)(event), ports.bus()))
        return followMessages(request, ports, (event) => ports.print(give(event)))
      }
      const messages = lastMessages(request, ports)
      if (messages.length === 0) tellUnknown([request.with, request.from], ports)
      if (json)
        return ports.print(`${JSON.stringify({ messages: messages.map(historyJson(ports)) })}\n`)
      ports.print(
        messages.length === 0
          ? none(request)
          : paint(
              messages
                .map(eventsSeen(ports))
                .map((event) => renderEvent(event, ports.bus()))
                .join(''),
            ),
      )
    })
}

/** How many messages, and of which session: the argument is one of both. */
function wanted(
  what: string | undefined,
  withName: string | undefined,
  limit: number | undefined,
): Pick<HistoryRequest, 'count' | 'with'> {
  if (what === undefined || /^[\d.+-]/.test(what)) return { count: limit ?? counted(what) }
  if (withName !== undefined)
    throw new CodedError('USAGE', `${quote(what)} and --with name two sessions`, {
      hint: `use one of them: agent-chat history --with ${parseAddress(what)}`,
    })
  return { count: limit ?? DEFAULT_COUNT, with: what }
}

function counted(what: string | undefined): number {
  if (what === undefined) return DEFAULT_COUNT
  if (/^\d{1,9}$/.test(what)) return Number(what)
  throw new CodedError('USAGE', `${quote(what)} is not a number of messages`, {
    hint: 'for example: agent-chat history 50; see: agent-chat history --help',
  })
}

function printCalls(
  request: HistoryRequest,
  follow: boolean | undefined,
  json: boolean | undefined,
  ports: Ports,
): void {
  if (follow || request.from !== undefined || request.since !== undefined) {
    throw new CodedError('USAGE', '--mcp goes with a count and --with only', {
      hint: 'agent-chat history 50 --mcp --with @backend; to follow: tail -f logs/mcp.jsonl in the home',
    })
  }
  const calls = lastCalls(request, ports)
  const text = calls.length === 0 ? 'no calls of MCP tools yet\n' : calls.map(renderCall).join('')
  ports.print(json ? `${JSON.stringify({ calls })}\n` : text)
}

/** One call on one line: when, who, what, what came of it, how long it took, what was given. */
function renderCall(call: ToolCallRecord): string {
  const { timestamp, session, tool, result, latency_ms, parameters } = call
  const end = result.success ? 'ok' : `failed: ${result.code}`
  const given = clipped(visibleLine(JSON.stringify(parameters)), 200)
  const who = session === null ? '-' : `@${session}`
  return `${localTime(timestamp)}  ${who}  ${tool}  ${visibleLine(end)}  ${latency_ms} ms  ${given}\n`
}

function none(request: HistoryRequest): string {
  if (request.count === 0) return ''
  const about = [
    ...(request.with === undefined ? [] : [` from or to @${parseAddress(request.with)}`]),
    ...(request.from === undefined ? [] : [` from @${parseAddress(request.from)}`]),
    ...(request.since === undefined ? [] : [' of this age']),
  ]
  return `no messages${about.join(',')} yet\n`
}

/** One message on one line: its id, when, who to whom, what about. */
function renderEvent(event: SentEvent, bus: Bus): string {
  const what = visibleLine(event.subject ?? event.preview).slice(0, 200)
  const priority = PRIORITIES.find((known) => known === event.priority)
  const kind = priority === undefined ? event.kind : `${priority} ${event.kind}`
  const why = heldNow(event, bus)
  const held = why === undefined ? '' : `  held: ${visibleLine(why)}`
  const { id, at, from, to } = event
  return `${shortId(id)}  ${localTime(at)}  @${from} → @${to}  ${kind}  ${what}${held}\n`
}

function parseHistoryCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidArgument('is not a number of messages')
}
