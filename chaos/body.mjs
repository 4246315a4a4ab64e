/** How many lines of filling a message has between its first line and its last, where nothing else is said. */
const FILLING = 4

/**
 * The body of message `number`: it says its number in every line, so that a part of it, or two mixed up, can be told from the whole.
 * @param {number} number
 * @param {number} lines
 */
export function bodyOf(number, lines = FILLING) {
  const filling = Array.from(
    { length: lines },
    (_, at) => `chaos ${number} line ${at} ${'.'.repeat(40)}`,
  )
  return [`chaos ${number} begins, ${lines} lines`, ...filling, `chaos ${number} ends`].join('\n')
}

/**
 * The numbers of the messages whose whole body stands in a text, and of those of which it has no more than a part. A number that stands there
 * twice is given twice.
 * @param {string} text
 */
export function numbersIn(text) {
  /** @type {number[]} */
  const whole = []
  /** @type {number[]} */
  const part = []
  for (const match of text.matchAll(/^chaos (\d+) begins, (\d+) lines$/gm)) {
    const number = Number(match[1])
    const body = bodyOf(number, Number(match[2]))
    if (text.startsWith(body, match.index)) whole.push(number)
    else part.push(number)
  }
  return { whole, part }
}
