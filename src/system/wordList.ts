/** Words among which others are looked for. */
export type WordList = { has: (word: string) => boolean }

/**
 * A list of words with blanks between them. A set would be made of them at each start, and a hook
 * asks few of its lists.
 */
export function wordList(words: string): WordList {
  const all = ` ${words} `
  return { has: (word) => !word.includes(' ') && all.includes(` ${word} `) }
}
