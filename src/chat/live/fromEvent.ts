import { type HistoryEvent, isSent, type SentEvent } from '../../bus/history.ts'
import type { Mark } from '../../bus/mail/marks.ts'
import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { PRIORITIES, priorityOf } from '../../message/priority.ts'
import { progressIn } from '../../message/task.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { type Entry, type MessageEntry, STAGES, type StageShown } from './entry.ts'

/** A body that is longer is cut, and shown whole with `/show`. Lines and characters. */
const MAX_LINES = 60
const MAX_CHARS = 8000

/** What the history tells of a message between others: its subject, or how it begins. */
export function entryOfSent(event: SentEvent): MessageEntry {
  const { id, at, from, to, subject, preview } = event
  const priority = PRIORITIES.find((known) => known === event.priority)
  return {
    type: 'message',
    ...addressOf(id, from, to),
    at,
    kind: kindText(String(event.kind), priority),
    ...(subject === undefined ? {} : { subject: visibleLine(String(subject)) }),
    text: visibleLine(preview).trim(),
    more: 0,
    ...(event.progress === undefined ? {} : { progress: true as const }),
    ...(event.ring === 'held' ? { held: visibleLine(String(event.why)) } : {}),
  }
}

/** A message with its body, as the human gets it; `whole`, however long that is. */
export function entryOfMessage(message: Message, mark?: Mark, whole = false): MessageEntry {
  const { id, timestamp, from, to, kind, subject } = message
  const decision = escalationOf(message)
  return {
    type: 'message',
    ...addressOf(id, from, to),
    at: timestamp,
    kind: kindText(kind, priorityOf(message)),
    ...(subject === undefined ? {} : { subject: visibleLine(subject) }),
    ...cut(message.body, whole),
    ...(progressIn(message) === undefined ? {} : { progress: true as const }),
    ...(mark?.ring === 'held' ? { held: visibleLine(mark.why) } : {}),
    ...(decision === undefined
      ? {}
      : { decision: { number: decision.number, options: decision.options.map(visibleLine) } }),
  }
}

/** What else happens and is worth a line; undefined for the rest. */
export function entryOfEvent(event: HistoryEvent): Entry | undefined {
  if (isSent(event)) return entryOfSent(event)
  const field = (name: string) => visibleLine(String(event[name] ?? ''))
  const text = SAID[event.event]?.(field)
  if (text === undefined) return undefined
  const detail = event.event === 'refused' ? field('reason') : ''
  const about = field('name') || field('inbox')
  const passing = passingOf(event)
  return {
    type: 'notice',
    at: event.at,
    tone: 'event',
    text,
    ...(about === '' ? {} : { about }),
    ...(passing === undefined ? {} : { passing }),
    ...(detail === '' ? {} : { detail }),
  }
}

/** An agent that ended by itself, and not well, is no such event. */
function passingOf({ event, code, signal, stopped }: HistoryEvent): 'came' | 'went' | undefined {
  if (event === 'joined') return 'came'
  const asExpected = stopped === true || (code === 0 && !signal)
  return event === 'left' || (event === 'ended' && asExpected) ? 'went' : undefined
}

/** Messages that have come further, and how far. */
export function stageOf(event: HistoryEvent): { ids: string[]; stage: StageShown } | undefined {
  const stage = STAGES.find((known) => known === event.event)
  if (stage === undefined) return undefined
  const ids = Array.isArray(event.ids) ? event.ids : [event.id]
  return { stage, ids: ids.filter((id) => typeof id === 'string') }
}

const SAID: Record<string, (field: (name: string) => string) => string> = {
  joined: (field) => `@${field('name')} is here`,
  renamed: (field) => `@${field('from')} is @${field('to')} now`,
  left: (field) => `@${field('name')} has left`,
  ended: (field) =>
    field('stopped') === 'true'
      ? `@${field('name')} was stopped by you`
      : `the agent of @${field('name')} has ended (${field('signal') || `exit code ${field('code')}`})`,
  refused: (field) => {
    const to = field('to')
    const whom = to === '' ? '' : ` → ${to === HUMAN ? 'you' : `@${to}`}`
    return `@${field('name')}${whom} · refused (${field('rule')})`
  },
  resumed: (field) => `released: ${field('id')} to @${field('to')}`,
  paused: () => 'notifications paused (agent-chat unpause turns them on)',
  unpaused: () => 'notifications are on again',
  'pre-approved': (field) =>
    `@${field('name')} may write to and from @${field('peer')} without a dialog`,
  'approval-revoked': (field) => `@${field('name')} no longer has approval for @${field('peer')}`,
  'registry-set-aside': (field) => `the registry could not be read; it is kept as ${field('path')}`,
  'refused-there': (field) => `${field('host')} refused ${field('id')}: ${field('why')}`,
  bad: (field) =>
    field('host') !== ''
      ? `a bad message from ${field('host')} is kept aside: ${field('why')}`
      : `${field('file')} in the inbox of @${field('inbox')} is no message: ${field('why')}`,
}

/** A file of the home may have been written by hand, with names and ids that nobody checked. */
function addressOf(id: string, from: string, to: string): Pick<MessageEntry, 'id' | 'from' | 'to'> {
  return { id: visibleLine(id), from: visibleLine(from), to: visibleLine(to) }
}

function kindText(kind: string, priority: string | undefined): string {
  return visibleLine(priority === undefined ? kind : `${priority} ${kind}`)
}

function cut(body: string, whole: boolean): { text: string; more: number } {
  const lines = visible(body).replaceAll('\t', '    ').trimEnd().split('\n')
  if (whole) return { text: lines.join('\n'), more: 0 }
  const kept = lines.slice(0, MAX_LINES)
  while (kept.length > 1 && kept.join('\n').length > MAX_CHARS) kept.pop()
  const text = kept.join('\n')
  const long = text.length > MAX_CHARS
  return {
    text: long ? `${text.slice(0, MAX_CHARS)}…` : text,
    more: lines.length - kept.length + (long ? 1 : 0),
  }
}
