/**
 * A header as `serializeMessage` writes it: one field a line, plain words, JSON strings or lists of
 * those. Every value is text.
 */
export type OwnHeader = { data: Record<string, string | string[]>; content: string }

/**
 * A line whose value YAML reads as itself: a word of letters, digits and `._:+-` that does not end
 * in a colon.
 */
const PLAIN_LINE = /^([a-z][a-z_]{0,31}): ([A-Za-z0-9](?:[A-Za-z0-9._:+-]*[A-Za-z0-9._+-])?)$/

/**
 * A line whose value is a JSON string, which YAML reads alike as long as it holds no character that
 * YAML calls non-printable or takes for the end of a line.
 */
const QUOTED_LINE =
  /^([a-z][a-z_]{0,31}): ("[\u0020-\u007e\u00a0-\u2027\u202a-\ufefe\uff00-\ufffd]*")$/

/** A line whose value is a list of such strings, as the options of a decision are. */
const LIST_LINE =
  /^([a-z][a-z_]{0,31}): (\[[\u0020-\u007e\u00a0-\u2027\u202a-\ufefe\uff00-\ufffd]*\])$/

/**
 * Reads the form that this program writes, without a YAML parser, whose loading takes longer than
 * all else that an inbox does. Gives undefined for anything else, also for what is only unusual:
 * then the parser decides. Where it does answer, its answer is the parser's.
 */
export function readOwnHeader(text: string): OwnHeader | undefined {
  if (!text.startsWith('---\n')) return undefined
  const end = text.indexOf('\n---', 3)
  if (end < 4 || text[end + 4] !== '\n') return undefined
  const data: OwnHeader['data'] = {}
  for (const line of text.slice(4, end).split('\n')) {
    const [, key = '', value = ''] =
      PLAIN_LINE.exec(line) ?? QUOTED_LINE.exec(line) ?? LIST_LINE.exec(line) ?? []
    if (key === '' || Object.hasOwn(data, key)) return undefined
    const plain = /^["[]/.test(value) ? unquote(value) : value
    if (plain === undefined) return undefined
    data[key] = plain
  }
  return { data, content: text.slice(end + 5) }
}

/** The text of a JSON string, or those of a list of strings. */
function unquote(text: string): string | string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
    return typeof value === 'string' || isList ? value : undefined
  } catch {
    return undefined
  }
}
