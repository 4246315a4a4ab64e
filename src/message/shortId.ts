/** Signs that no font makes look alike; without vowels, so that no id is a word. */
const LETTERS = 'bcdfghjkmnpqrstvwxyz'
const DIGITS = '23456789'
const BOTH = LETTERS + DIGITS

/** Of 5,000 messages, one in 700 shares its five signs with another. */
const SHOWN = 5
const LONGEST = 10

/** At least so much of an id has to be given. */
export const LEAST = 4

/**
 * The id by which people and agents see a message: made of its long id and of nothing else. The
 * first sign is a letter and the second a digit, so that it is neither a number nor a word. The
 * machine that an id names is left out: a message has one short id on both machines.
 */
export function shortId(id: string, length = SHOWN): string {
  const from = id.lastIndexOf('-from-')
  const dot = from < 0 ? -1 : id.indexOf('.', from)
  let rest = hashOf(dot < 0 ? id : id.slice(0, dot))
  const sign = (set: string) => {
    const at = rest % set.length
    rest = Math.floor(rest / set.length)
    return set.charAt(at)
  }
  let short = sign(LETTERS) + sign(DIGITS)
  while (short.length < length) short += sign(BOTH)
  return short
}

/**
 * Whether `part` stands for this id: the beginning of its short id, or four signs of the long one.
 * What looks like a short id is none of the signs of a sender's name: it could be chosen to match.
 */
export function standsFor(part: string, id: string): boolean {
  if (part.length < LEAST) return false
  return part.length <= LONGEST && isShortId(part)
    ? shortId(id, LONGEST).startsWith(part.toLowerCase())
    : id.includes(part)
}

/** Whether a text looks like a short id. */
export function isShortId(text: string): boolean {
  return SHORT.test(text)
}

const SHORT = new RegExp(`^[${LETTERS}][${DIGITS}][${BOTH}]{${LEAST - 2},}$`, 'i')

/** Ids that tell these messages apart, as short as they can be. */
export function apart(ids: readonly string[]): string[] {
  for (let length = SHOWN; length <= LONGEST; length += 1) {
    const short = ids.map((id) => shortId(id, length))
    if (new Set(short).size === ids.length) return short
  }
  return [...ids]
}

/** A hash of 53 bits that spreads well (cyrb53): for telling apart, not for keeping secret. */
function hashOf(text: string): number {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 4294967296 * (2097151 & two) + (one >>> 0)
}
