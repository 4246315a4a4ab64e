import { eventsFromEnd, isSent } from '../../bus/history.ts'
import type { Home } from '../../bus/home.ts'
import { idOfFile } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'

/** What the history tells: who was sent, who read, and since when it tells anything. */
export type Past = {
  sent: ReadonlySet<string>
  /** Whether this message was read by its recipient, or filed for them. */
  wasRead(id: string, by: string): boolean
  /** What belongs into indexes: parts of conversations, tasks, and what may be a decision. */
  indexed: readonly Filed[]
  /** Whether the one who had this task has answered it with a result. */
  hasResult(task: string, by: string): boolean
  /** Takes in a message that the history does not tell of and should. */
  add(message: Message): void
  /** Whether the history should know a message of this time (milliseconds since 1970). */
  covers(time: number): boolean
}

/** A message as far as indexes are concerned. */
type Filed = Pick<Message, 'id' | 'thread' | 'kind' | 'to'>

/**
 * A history may have been cut by its owner; what is older is none of its business, and messages
 * that were cleared away with it must not come back. An hour before its first line still counts,
 * because the first message of a home may have crashed.
 */
const BEFORE_MS = 60 * 60 * 1000

/** Reads the whole history once. Where there is none, it counts as cut at `now` (ms since 1970). */
export function readPast(home: Pick<Home, 'history' | 'names'>, now: number): Past {
  const sent = new Set<string>()
  const read = new Set<string>()
  const results = new Set<string>()
  const indexed: Filed[] = []
  let first = now
  for (const event of eventsFromEnd(home)) {
    const at = Date.parse(event.at)
    if (!Number.isNaN(at)) first = at
    if (isSent(event)) {
      sent.add(event.id)
      if (isIndexed(event)) indexed.push(filed(event))
      if (event.kind === 'result') results.add(`${event.in_reply_to} ${event.from}`)
    }
    if (event.event === 'read' || event.event === 'filed')
      for (const id of idsOf(event)) read.add(`${id} ${String(event.by)}`)
  }
  return {
    sent,
    indexed,
    hasResult: (task, by) => results.has(`${task} ${by}`),
    add: (message) => {
      sent.add(message.id)
      if (isIndexed(message)) indexed.push(filed(message))
    },
    wasRead: (id, by) => read.has(`${id} ${by}`),
    covers: (time) => time >= first - BEFORE_MS,
  }
}

/** Other programs may write into the history, too: what they leave out is no id. */
function isIndexed({ id, thread, kind, to }: Filed): boolean {
  const isId = (value: unknown) =>
    typeof value === 'string' && idOfFile(`${value}.md`) !== undefined
  if (!isId(id) || !isId(thread)) return false
  return thread !== id || kind === 'task' || (kind === 'question' && to === HUMAN)
}

function filed({ id, thread, kind, to }: Filed): Filed {
  return { id, thread, kind, to }
}

function idsOf(event: { [field: string]: unknown }): unknown[] {
  return Array.isArray(event.ids) ? event.ids : [event.id]
}
