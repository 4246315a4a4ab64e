import { nameNow } from '../bus/names/names.ts'
import { type Found, searchMessages } from '../bus/search.ts'
import { CodedError } from '../errors.ts'
import { messageJson } from '../message/json.ts'
import { parseAddress } from '../message/name.ts'
import { seenBy, whyWithheld } from '../session/withheld.ts'
import { readerHere } from './identity.ts'
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
 * `USAGE` where there is nothing to search for. Where hooks do not run, a hit has no text of another.
 */
export function search(request: SearchRequest, ports: Pick<Ports, 'bus' | 'env' | 'typed'>): Found {
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
  const found = searchMessages(bus.home, wanted, limit)
  const reader = readerHere(ports)
  const why = whyWithheld(reader, bus)
  if (why === undefined) return found
  const seen = seenBy(reader, bus, why)
  const hits = found.hits.map(({ message, line }) =>
    message.from === reader?.name
      ? { message, line }
      : { message: seen(message), line: { ...line, number: 1, text: why } },
  )
  return { ...found, hits }
}

/** What was found, as data: each message, and the line. */
export function foundJson({ hits, more }: Found): Record<string, unknown> {
  return { messages: hits.map(({ message, line }) => ({ ...messageJson(message), line })), more }
}
