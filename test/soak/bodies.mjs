import { createHash } from 'node:crypto'

/**
 * A body that tells whether it is whole: the number of its message, text of some length, and a hash of both. Mostly short; now and then as long as a page.
 * @param {number} number
 * @param {() => number} random
 */
export function makeBody(number, random) {
  const length = random() < 0.02 ? 20_000 + random() * 60_000 : random() * 600
  const text = `soak ${number} ${'as it was said — '.repeat(Math.ceil(length / 17))}`
  return `${text}#${hashOf(text)}`
}

/**
 * The number of a message by its body, or undefined where that is not whole.
 * @param {string} body
 */
export function numberIn(body) {
  const [, text = '', hash] = /^([\s\S]*)#([0-9a-f]{16})$/.exec(body) ?? []
  return hash !== undefined && hash === hashOf(text) ? Number(text.split(' ')[1]) : undefined
}

/** @param {string} text */
function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
