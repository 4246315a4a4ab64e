import matter from 'gray-matter'
import yaml from 'js-yaml'
import { CodedError } from '../errors.ts'
import { readOwnHeader } from './header.ts'
import { senderOfId } from './id.ts'
import type { FieldValue, Message } from './message.ts'
import { ADDRESS_PATTERN } from './name.ts'
import { isoTime } from './time.ts'

/**
 * A header longer than this, in characters, or of more values than `MAX_NODES`, is refused: no
 * sender of ours writes one.
 */
const MAX_HEADER = 64 * 1024
const MAX_NODES = 1000

const OWN_FIELDS = new Set([
  'id',
  'from',
  'to',
  'timestamp',
  'kind',
  'thread',
  'in_reply_to',
  'subject',
  'chain',
  'hops',
])

/**
 * The message that a file's text holds. `id` is the file's name without `.md`; a text with another
 * `id` is a copy, which sync tools leave beside the message. Reads the older form too, whose header has no opening `---`. Throws
 * `MESSAGE_UNREADABLE` with the reason.
 */
export function parseMessage(text: string, id: string): Message {
  const normal = withOpening(text)
  const { data, content } = readOwnHeader(normal) ?? matterOf(normal)
  const fields = copyFields(data)
  const from = nameField(fields, 'from')
  const own = idField(fields, 'id')
  if (own !== undefined && own !== id) throw unreadable(`it is a copy of ${own}`)
  const named = senderOfId(id)
  if (named !== undefined && named !== from)
    throw unreadable(`it says it is from @${from}, but its name says @${named}`)
  const inReplyTo = idField(fields, 'in_reply_to')
  const subject = textField(fields, 'subject')
  return {
    id,
    from,
    to: nameField(fields, 'to'),
    timestamp: timeField(fields),
    kind: kindField(fields),
    thread: idField(fields, 'thread') ?? id,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(subject === undefined ? {} : { subject }),
    chain: idField(fields, 'chain') ?? id,
    hops: hopsField(fields),
    body: content.endsWith('\n') ? content.slice(0, -1) : content,
    extra: Object.fromEntries(Object.entries(fields).filter(([key]) => !OWN_FIELDS.has(key))),
  }
}

/**
 * The front matter of a markdown file, with every scalar left as text, and what comes after it. A
 * text that does not begin with `---` has no fields. Throws as `parseMessage()`.
 */
export function parseFrontMatter(text: string): {
  fields: Record<string, FieldValue>
  content: string
} {
  if (!text.startsWith('---')) return { fields: {}, content: text }
  const { data, content } = matterOf(withOpening(text))
  return { fields: copyFields(data), content }
}

/**
 * The text with an opening `---`, which the older form lacks. Any engine but YAML is refused before
 * a parser sees it.
 */
function withOpening(text: string): string {
  const opening = /^---([^\n]*)(?:\n|$)/.exec(text)
  if (opening && opening[1]?.trim() !== '') throw unreadable('its front matter is not plain YAML')
  const normal = opening ? text : `---\n${text}`
  const close = normal.indexOf('\n---', 3)
  if (close < 0 || !/^[^\S\n]*(?:\n|$)/.test(normal.slice(close + 4, close + 64)))
    throw unreadable('its header has no end')
  if (close > MAX_HEADER) throw unreadable('its header is too long')
  return normal
}

function matterOf(text: string): { data: Record<string, unknown>; content: string } {
  try {
    // Options make gray-matter skip its cache; every engine but ours refuses, so no text becomes
    // code.
    return matter(text, {
      language: 'yaml',
      engines: { yaml: parseYaml, json: refuse, javascript: refuse, js: refuse },
    })
  } catch (error) {
    throw unreadable(`its header is not YAML (${firstLine(error)})`, error)
  }
}

function parseYaml(text: string): object {
  // The failsafe schema leaves every scalar as text: `0123` stays 0123 and a time stays as it was
  // written.
  const data: unknown = yaml.load(text, { schema: yaml.FAILSAFE_SCHEMA })
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new Error('no fields')
  return data
}

function refuse(): object {
  throw new Error('not plain YAML')
}

function copyFields(data: Record<string, unknown>): Record<string, FieldValue> {
  let nodes = 0
  const copy = (value: unknown): FieldValue => {
    nodes += 1
    if (nodes > MAX_NODES) throw unreadable('its header has too many values')
    if (typeof value === 'string' || value === null) return value
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object') throw unreadable('its header has a value of unknown type')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]))
  }
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, copy(value)]))
}

function textField(fields: Record<string, FieldValue>, key: string): string | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw unreadable(`its ${key} is not text`)
  return value
}

function nameField(fields: Record<string, FieldValue>, key: string): string {
  const name = textField(fields, key)?.replace(/^@/, '')
  if (name === undefined || !ADDRESS_PATTERN.test(name))
    throw unreadable(`its ${key} is not a session name`)
  return name
}

function idField(fields: Record<string, FieldValue>, key: string): string | undefined {
  const id = textField(fields, key)
  if (id !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._:+-]{0,199}$/.test(id))
    throw unreadable(`its ${key} is not an id`)
  return id
}

function timeField(fields: Record<string, FieldValue>): string {
  const time = new Date(textField(fields, 'timestamp') ?? '')
  if (Number.isNaN(time.getTime())) throw unreadable('its timestamp is not a time')
  return isoTime(time.getTime())
}

function kindField(fields: Record<string, FieldValue>): string {
  const kind = textField(fields, 'kind') ?? 'handover'
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(kind)) throw unreadable('its kind is not a word')
  return kind
}

function hopsField(fields: Record<string, FieldValue>): number {
  const hops = textField(fields, 'hops') ?? '0'
  if (!/^\d{1,9}$/.test(hops)) throw unreadable('its hops is not a number')
  return Number(hops)
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

function unreadable(why: string, cause?: unknown): CodedError {
  return new CodedError('MESSAGE_UNREADABLE', why, { hint: 'see the file itself with: cat', cause })
}
