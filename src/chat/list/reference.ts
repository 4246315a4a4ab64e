/**
 * How a person names a task: by its place in a list, or by words of it. Whoever says "the grocery
 * one" means every task that has to do with groceries, and is asked where these are several.
 */
export type Reference = {
  /** 1 is the first, -1 the last; undefined for what names no place. */
  place: number | undefined
  /** The words that say something, each as `stemOf()` gives it. */
  words: string[]
}

/** A part of a word stands for it from so many letters on. */
const LEAST_PART = 4

/** Words that point at a task without saying which. */
const POINTING = new Set(
  'a about an and at for from i in is it me my of on one please that the their this to with your our number no nr item thing todo entry task'.split(
    ' ',
  ),
)

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

export function referenceOf(text: string): Reference {
  const words = split(text).filter((word) => !POINTING.has(stemOf(word)) && !POINTING.has(word))
  const [word, ...others] = words
  const place = word === undefined || others.length > 0 ? undefined : placeOf(word)
  return { place, words: words.map(stemOf) }
}

/** Whether a text says each of these words, in singular or plural, or has it as a part of a word. */
export function saysAll(told: string, words: readonly string[]): boolean {
  return words.length > 0 && words.every(saidIn(told))
}

/** Whether a text says one of these words, of those that are long enough to say something. */
export function saysSome(told: string, words: readonly string[]): boolean {
  return words.filter((word) => word.length >= LEAST_PART).some(saidIn(told))
}

/** Whether two texts are the same words in the same order, which are two at least. */
export function isSameText(a: string, b: string): boolean {
  const words = split(a)
  return words.length > 1 && words.join(' ') === split(b).join(' ')
}

function saidIn(told: string): (word: string) => boolean {
  const all = split(told).flatMap((word) => [word, stemOf(word)])
  const isIn = (word: string) => (one: string) =>
    one === word || (word.length >= LEAST_PART && one.includes(word))
  return (word) => all.some(isIn(word))
}

/** `1`, `1st`, `first`, `last`. */
function placeOf(word: string): number | undefined {
  if (word === 'last') return -1
  const digits = /^([1-9]\d{0,2})(?:st|nd|rd|th)?$/.exec(word)?.[1]
  const at = ORDINALS.indexOf(word) + 1
  return digits === undefined ? at || undefined : Number(digits)
}

/** The singular of an English word, near enough to compare two. */
function stemOf(word: string): string {
  if (word.length < 3) return word
  if (/..[^aeiou]ies?$/.test(word)) return word.replace(/ies?$/, 'y')
  if (/..(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

function split(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
