import { eventsFromEnd, type HistoryEvent } from '../bus/history.ts'
import type { Home } from '../bus/home.ts'
import { KINDS } from '../message/message.ts'
import { linesFromEnd } from '../system/lines.ts'

/** What of an event is no sender's wording. A subject, a preview and a reason are never told. */
const FIELDS = [
  ...[
    'at',
    'event',
    'id',
    'ids',
    'from',
    'to',
    'by',
    'name',
    'kind',
    'thread',
    'in_reply_to',
    'chain',
    'hops',
    'bytes',
  ],
  ...['priority', 'ring', 'doorbell', 'pane', 'rule', 'mode', 'code', 'signal', 'mended', 'messages', 'threads'],
]

/** What is not plainly a word, an id or a time is left out. */
const PLAIN = /^[\w.:@%+-]{1,120}$/

/** How a watcher begins its lines. A line of another beginning may hold anything. */
const SAID = /^(watching the inbox|waiting to ring: |rang by |ends: |file events cannot be had)/

/** The longest line of a report, in characters. */
const MAX_LINE = 400

/** The last events, oldest first, without what anybody wrote. */
export function bareEvents(home: Pick<Home, 'history' | 'names'>, count: number): string[] {
  const lines: string[] = []
  for (const event of eventsFromEnd(home)) {
    if (lines.length === count) break
    lines.unshift(JSON.stringify(bare(event)))
  }
  return lines
}

/** The last lines of a watcher's log, oldest first. */
export function bareWatcherLog(path: string, count: number): string[] {
  return last(path, count).map((line) => {
    const [time, text] = [line.slice(0, 24), line.slice(25)]
    return `${time} ${SAID.test(text) ? withoutQuotes(text).slice(0, MAX_LINE) : '(left out)'}`
  })
}

/** The last faults of hooks, oldest first: the hook, the class of the error and where it was, never what it says, which may be of a message. */
export function bareHookLog(path: string, count: number, home: string): string[] {
  return last(path, count).map((line) => {
    const hook = /^[a-z-]{1,30}(?=: )/.exec(line.slice(25))?.[0] ?? '(left out)'
    const kind = /: (\w*Error)\b/.exec(line)?.[1] ?? 'Error'
    const errno = /\b(E[A-Z]{3,15}|[A-Z]+_[A-Z_]+)\b/.exec(line)?.[0] ?? ''
    const frames = [...line.matchAll(/ at (?:[\w.<>$ ]+ \()?((?:\/|node:)[^\s()]+:\d+:\d+)\)?/g)].map(([, at]) => at)
    const where = frames.slice(0, 4).join(' < ')
    return shorten(`${line.slice(0, 24)} ${hook}: ${[kind, errno, where].filter(Boolean).join(' ')}`, home)
  })
}

/** What stands in quotes is quoted from somewhere. */
export function withoutQuotes(text: string): string {
  return text.replaceAll(/"[^"]*"|`[^`]*`|“[^”]*”|(?<!\w)'[^']*'/g, '"…"')
}

/** The user's own directory as `~`. */
export function shorten(text: string, home: string): string {
  return home === '' || home === '/' ? text : text.replaceAll(home, '~')
}

function bare(event: HistoryEvent): Record<string, unknown> {
  const told = FIELDS.flatMap((field) => (isPlain(event[field]) ? [[field, event[field]]] : []))
  // Any other kind is a sender's own word.
  if (event.kind !== undefined && !KINDS.some((kind) => kind === event.kind)) told.push(['kind', 'other'])
  return Object.fromEntries(told)
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string' && PLAIN.test(one))
  if (typeof value === 'string') return PLAIN.test(value)
  return typeof value === 'number' || typeof value === 'boolean'
}

function last(path: string, count: number): string[] {
  const lines: string[] = []
  for (const line of linesFromEnd(path)) {
    if (lines.length === count) break
    lines.unshift(line)
  }
  return lines
}
