/**
 * What `send --kind` takes. A file with another kind, from a later version, is read all the same.
 */
export const KINDS = ['handover', 'question', 'reply', 'task', 'result', 'note'] as const

/** The most bytes that a body may have, in UTF-8. */
export const MAX_BODY_BYTES = 256 * 1024

/**
 * A value of a field that this version does not know, as YAML gives it with every scalar left as
 * text.
 */
export type FieldValue = string | null | FieldValue[] | { [key: string]: FieldValue }

/** One message. Every id is a file name without `.md`. */
export type Message = {
  id: string
  from: string
  to: string
  /** ISO 8601, UTC, milliseconds. */
  timestamp: string
  kind: string
  /** The id of the first message of the conversation. */
  thread: string
  inReplyTo?: string
  /** One line. */
  subject?: string
  /** The human prompt or message that set this off. */
  chain: string
  /** Messages since a human last spoke on this chain. */
  hops: number
  body: string
  /** Fields that this version does not know, kept as they came. */
  extra: Record<string, FieldValue>
}

/**
 * The header of a message under the names that files and `--json` use, in the order of the file.
 */
export function headerFields(message: Message): Record<string, FieldValue | number> {
  return {
    id: message.id,
    from: message.from,
    to: message.to,
    timestamp: message.timestamp,
    kind: message.kind,
    thread: message.thread,
    ...(message.inReplyTo === undefined ? {} : { in_reply_to: message.inReplyTo }),
    ...(message.subject === undefined ? {} : { subject: message.subject }),
    chain: message.chain,
    hops: message.hops,
    ...message.extra,
  }
}
