import { parseBody } from '../bus/mail/draft.ts'
import type { Message } from '../message/message.ts'
import type { Ports } from './ports.ts'

/** What a message says, and the header fields that it carries besides. */
export type Content = { body: string; extra?: Message['extra'] }

/**
 * A body, or what finds it once sender and recipient are known to be right: a body that is typed or
 * read from a pipe is not asked for in vain.
 */
export type ContentSource = string | ((from: string, to: string) => Promise<Content>)

/** Throws `BODY_EMPTY`, `BODY_TOO_LONG` or `BODY_NOT_TEXT`, and what the source throws. */
export async function contentOf(
  source: ContentSource,
  from: string,
  to: string,
): Promise<Required<Content>> {
  if (typeof source === 'string') return { body: parseBody(Buffer.from(source)), extra: {} }
  return { extra: {}, ...(await source(from, to)) }
}

/** The header field for named files. Throws as `attach()`, loaded only where there are some. */
export async function attached(
  paths: readonly string[] | undefined,
  { cwd }: Pick<Ports, 'cwd'>,
): Promise<Message['extra']> {
  if (paths === undefined || paths.length === 0) return {}
  return (await import('./attach.ts')).attach(paths, cwd)
}
