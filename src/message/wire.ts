import { hostOf, nameOf } from './address.ts'
import { attachmentsOf } from './attachment.ts'
import type { FieldValue, Message } from './message.ts'
import { ADDRESS_PATTERN } from './name.ts'

/*
 * Between two machines every name and id tells its machine: `frontend.b`, `…-from-backend.a`. At
 * home a machine leaves its own name out. The text alone tells, so there is no table of ids.
 */

/** What a message says besides and means the same on every machine. */
const TRAVELS = ['task_state', 'progress', 'summary', 'failed', 'depth'] as const

/** The message as the other machine gets it from the machine `me`. */
export function toWire(message: Message, me: string): Message {
  return {
    ...message,
    ...idsOf(message, (id) => abroad(id, me)),
    from: nameAbroad(message.from, me),
    to: nameAbroad(message.to, me),
    extra: extraFor(message, me),
  }
}

/** The message as the machine `me` keeps it. Only its own name is taken off. */
export function fromWire(message: Message, me: string): Message {
  return {
    ...message,
    ...idsOf(message, (id) => atHome(id, me)),
    from: nameAtHome(message.from, me),
    to: nameAtHome(message.to, me),
    extra: extraFrom(message),
  }
}

/** An id of this machine with its name behind it; one of another machine has that already. */
export function abroad(id: string, me: string): string {
  return qualified(id) === undefined ? `${id}.${me}` : id
}

/** An id from the wire, as the machine `me` keeps it. */
export function atHome(id: string, me: string): string {
  return qualified(id) === me ? id.slice(0, -me.length - 1) : id
}

/** The machine that an id names: what follows the last dot behind the sender. */
export function qualified(id: string): string | undefined {
  const at = id.lastIndexOf('-from-')
  const address = at < 0 ? '' : id.slice(at + '-from-'.length)
  if (ADDRESS_PATTERN.test(address)) return hostOf(address)
  return /\.([a-z][a-z0-9-]{0,31})$/.exec(id)?.[1]
}

function idsOf(message: Message, change: (id: string) => string) {
  const { id, thread, inReplyTo, chain } = message
  return {
    id: change(id),
    thread: change(thread),
    ...(inReplyTo === undefined ? {} : { inReplyTo: change(inReplyTo) }),
    chain: change(chain),
  }
}

function nameAbroad(name: string, me: string): string {
  return hostOf(name) === undefined ? `${name}.${me}` : name
}

function nameAtHome(name: string, me: string): string {
  return hostOf(name) === me ? nameOf(name) : name
}

/** A file that a message names is on the machine it comes from, and nowhere else. */
function extraFor(message: Message, me: string): Message['extra'] {
  const there = attachmentsOf(message).map(({ path }) => `${me}:${path}`)
  return { ...travelling(message), ...(there.length === 0 ? {} : { files_there: there }) }
}

function extraFrom({ extra }: Message): Message['extra'] {
  const { files_there: there } = extra
  const paths = Array.isArray(there) ? there.filter((path) => typeof path === 'string') : []
  return { ...travelling({ extra }), ...(paths.length === 0 ? {} : { files_there: paths }) }
}

function travelling({ extra }: Pick<Message, 'extra'>): Record<string, FieldValue> {
  const kept: Record<string, FieldValue> = {}
  for (const key of TRAVELS) {
    const value = Object.hasOwn(extra, key) ? extra[key] : undefined
    if (typeof value === 'string') kept[key] = value
  }
  // Urgent is a word among those who know each other; quiet harms nobody.
  return extra.priority === 'quiet' ? { ...kept, priority: 'quiet' } : kept
}
