import type { Command } from 'commander'
import { isSent, lastSent, parseEvent, type SentEvent } from '../../bus/history.ts'
import { nameNow, withNamesNow } from '../../bus/names.ts'
import { parseName } from '../../message/name.ts'
import { PRIORITIES } from '../../message/priority.ts'
import { visibleLine } from '../../message/visible.ts'
import { invalidArgument } from '../argument.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { localTime } from '../render/time.ts'

export type HistoryOptions = { count: number; with?: string }

/** Enough to see a conversation, few enough to read. */
const DEFAULT_COUNT = 20

export function historyCommand(program: Command, ports: Ports, run = runHistory): void {
  addCommand(
    program,
    'history',
    'the last messages of everyone, oldest first',
    'agent-chat history 5 --with @frontend\nagent-chat history --follow',
  )
    .argument('[count]', 'how many', parseHistoryCount, DEFAULT_COUNT)
    .option('--with <name>', 'only messages from or to this session')
    .option('--follow', 'go on printing as messages are sent, until Ctrl-C')
    .action(async (count: number, options: { with?: string; follow?: boolean; json?: boolean }) => {
      const request = { count, ...(options.with === undefined ? {} : { with: parseName(options.with) }) }
      const events = run(request, ports)
      if (options.follow) return follow(request, events, options.json === true, ports)
      if (options.json) return ports.print(`${JSON.stringify({ messages: events })}\n`)
      ports.print(events.length === 0 ? none(request) : events.map(renderEvent).join(''))
    })
}

function none(request: HistoryOptions): string {
  if (request.count === 0) return ''
  return request.with === undefined ? 'no messages yet\n' : `no messages from or to @${request.with} yet\n`
}

/** The last messages, read from the end of the log: the cost does not depend on its length. */
export function runHistory(options: HistoryOptions, ports: Pick<Ports, 'bus'>): SentEvent[] {
  const { home } = ports.bus()
  return lastSent(home, options.count, options.with && nameNow(home, options.with))
}

/** One message of the history: when, who to whom, what about. */
export function renderEvent(event: SentEvent): string {
  const what = visibleLine(event.subject ?? event.preview).slice(0, 200)
  const priority = PRIORITIES.find((known) => known === event.priority)
  const kind = priority === undefined ? event.kind : `${priority} ${event.kind}`
  const held = event.ring === 'held' ? `  held: ${visibleLine(String(event.why))}` : ''
  return `${localTime(event.at)}  @${event.from} → @${event.to}  ${kind}  ${what}\n    ${event.id}${held}\n`
}

function parseHistoryCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidArgument('It must be a whole number.')
}

async function follow(options: HistoryOptions, shown: SentEvent[], json: boolean, ports: Ports): Promise<void> {
  const { followFile } = await import('../../system/follow.ts')
  const { home } = ports.bus()
  const print = (event: SentEvent) => ports.print(json ? `${JSON.stringify(event)}\n` : renderEvent(event))
  for (const event of shown) print(event)
  const wanted = ({ from, to }: SentEvent) => {
    const name = options.with && nameNow(home, options.with)
    return name === undefined || from === name || to === name
  }
  const last = shown.at(-1)?.id
  await followFile(home.history, ports.onStop, (line) => {
    const told = parseEvent(line)
    const event = told && isSent(told) ? withNamesNow(home, told) : undefined
    if (event && event.id !== last && wanted(event)) print(event)
  })
}
