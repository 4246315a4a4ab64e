import { isUtf8 } from 'node:buffer'
import { CodedError } from '../../errors.ts'
import { formatId } from '../../message/id.ts'
import { MAX_BODY_BYTES, type Message } from '../../message/message.ts'
import { isoTime } from '../../message/time.ts'
import { isBlank } from '../../message/visible.ts'
import type { ProcessRef } from '../../system/processes.ts'

/** A message before it has an id. Without `chain` and `hops` it starts a chain of its own. */
export type Draft = {
  from: string
  to: string
  kind: string
  body: string
  subject?: string
  inReplyTo?: Answered | undefined
  chain?: string | undefined
  hops?: number
  /** Of a message that is free of the count: how deep the path was that it ends. */
  depth?: number | undefined
  /** Fields beyond those that every message has. */
  extra?: Message['extra']
  /** Why it does not ring, where it does not. */
  silent?: Silent | undefined
}

/** The message that is answered. Its kind and recipient tell whether the answer ends a task. */
export type Answered = Pick<Message, 'id' | 'thread'> & Partial<Pick<Message, 'kind' | 'to'>>

/** A message is held over a cap, quiet until the next look, or awaited by the process `waiter`. */
export type Silent = { ring: 'held' | 'quiet' | 'awaited'; why: string; waiter?: ProcessRef }

/** The text of a body. Throws `BODY_EMPTY`, `BODY_TOO_LONG` or `BODY_NOT_TEXT`. */
export function parseBody(bytes: Buffer): string {
  if (bytes.length > MAX_BODY_BYTES) {
    throw new CodedError('BODY_TOO_LONG', `the message is longer than ${MAX_BODY_BYTES} bytes`, {
      hint: 'write it to a file and send the path',
    })
  }
  const text = isUtf8(bytes) ? bytes.toString('utf8') : undefined
  if (text === undefined || bytes.includes(0)) {
    throw new CodedError(
      'BODY_NOT_TEXT',
      'the message is not UTF-8 text, or has a NUL byte in it',
      {
        hint: 'send the path of a binary file, not the file itself',
      },
    )
  }
  if (!isBlank(text)) return text
  throw new CodedError('BODY_EMPTY', 'the message is empty', {
    hint: 'agent-chat send @name "what you want to say"',
  })
}

/** The message that a draft becomes at `micros`, in microseconds since 1970. */
export function complete(draft: Draft, micros: number): Message {
  const id = formatId(micros, draft.from)
  return {
    id,
    from: draft.from,
    to: draft.to,
    timestamp: isoTime(Math.floor(micros / 1000)),
    kind: draft.kind,
    thread: draft.inReplyTo?.thread ?? id,
    ...(draft.inReplyTo === undefined ? {} : { inReplyTo: draft.inReplyTo.id }),
    ...(draft.subject === undefined ? {} : { subject: draft.subject }),
    chain: draft.chain ?? id,
    hops: draft.hops ?? 0,
    body: draft.body,
    extra: {
      ...draft.extra,
      ...(draft.depth === undefined ? {} : { depth: String(draft.depth) }),
    },
  }
}
