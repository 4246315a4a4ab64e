import { nameNow } from '../bus/names/names.ts'
import { type Found, searchMessages } from '../bus/search.ts'
import { CodedError } from '../errors.ts'
import { messageJson } from '../message/json.ts'
import { parseAddress } from '../message/name.ts'
import type { Ports } from './ports.ts'

/**
 * Each of `words` is plain text, in any case. `ageMs`: how old a message may be. `limit`: how many
 * hits are given, 20 without it.
 */
export type SearchRequest = {
  words: string[]
  from?: string | undefined
  to?: string | undefined
  kind?: string | undefined
  ageMs?: number | undefined
  limit?: number | undefined
}

const DEFAULT_LIMIT = 20

/**
 * Searches the messages from the newest on; the subject counts as line 0 of the body. Throws
 * `USAGE` where there is nothing to search for.
 */
export function search(request: SearchRequest, ports: Pick<Ports, 'bus'>): Found {
  const words = request.words.map((word) => word.trim())
  if (words.includes('')) {
    throw new CodedError('USAGE', 'the words to search for are empty', {
      hint: 'agent-chat search contract "an exact phrase"',
    })
  }
  const { from, to, kind, ageMs, limit = DEFAULT_LIMIT } = request
  const bus = ports.bus()
  const wanted = {
    words,
    ...(from === undefined ? {} : { from: nameNow(bus.home, parseAddress(from)) }),
    ...(to === undefined ? {} : { to: nameNow(bus.home, parseAddress(to)) }),
    ...(kind === undefined ? {} : { kind }),
    ...(ageMs === undefined ? {} : { since: bus.clock.now() - ageMs }),
  }
  return searchMessages(bus.home, wanted, limit)
}

/** What was found, as data: each message, and the line. */
export function foundJson({ hits, more }: Found): Record<string, unknown> {
  return { messages: hits.map(({ message, line }) => ({ ...messageJson(message), line })), more }
}
