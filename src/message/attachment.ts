import type { FieldValue, Message } from './message.ts'

/**
 * A file that a message names: where it stood, and what it held when the message was sent. The file
 * itself is not sent.
 */
export type Attachment = { path: string; bytes: number; sha256: string }

/**
 * The files that a message names (header field `attachments`). What is no such entry is passed
 * over.
 */
export function attachmentsOf({ extra }: Pick<Message, 'extra'>): Attachment[] {
  const list = Object.hasOwn(extra, 'attachments') ? extra.attachments : undefined
  return Array.isArray(list) ? list.map(attachmentFrom).filter((one) => one !== undefined) : []
}

/** The header field of a message that names these files; nothing where there are none. */
export function attachmentFields(attachments: readonly Attachment[]): Record<string, FieldValue> {
  if (attachments.length === 0) return {}
  return {
    attachments: attachments.map(({ path, bytes, sha256 }) => ({
      path,
      bytes: String(bytes),
      sha256,
    })),
  }
}

function attachmentFrom(value: FieldValue): Attachment | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { path, bytes, sha256 } = value
  if (typeof path !== 'string' || !path.startsWith('/')) return undefined
  if (typeof bytes !== 'string' || !/^\d{1,15}$/.test(bytes)) return undefined
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined
  return { path, bytes: Number(bytes), sha256 }
}
