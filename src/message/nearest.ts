/**
 * The word of `words` that `input` is most likely a slip of: at most one letter wrong, missing, too
 * many or swapped with its neighbour, two in words of seven letters and more. Undefined where none
 * is that near.
 */
export function nearest(input: string, words: readonly string[]): string | undefined {
  const within = (edits: number, shortest: number) =>
    words.find((word) => word.length >= shortest && isWithin(edits, input, word))
  return within(0, 0) ?? within(1, 0) ?? within(2, 7)
}

/**
 * The words that `input` is one slip from: one letter wrong, missing, too many or swapped with its
 * neighbour. Another final number is none: `backend2` beside `backend`.
 */
export function slipsOf(input: string, words: readonly string[]): string[] {
  const stem = (word: string) => word.replace(/-?\d+$/, '')
  return words.filter((word) => stem(word) !== stem(input) && isWithin(1, input, word))
}

/** Whether so many edits make one word the other; no letter of a swapped pair is edited again. */
function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b) return true
  if (a !== '' && a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1))
  if (edits === 0) return false
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0]
  return (
    isWithin(edits - 1, a.slice(1), b.slice(1)) ||
    isWithin(edits - 1, a.slice(1), b) ||
    isWithin(edits - 1, a, b.slice(1)) ||
    (isSwapped && isWithin(edits - 1, a.slice(2), b.slice(2)))
  )
}
