/**
 * The word of `words` that `input` is most likely a slip of: at most one letter wrong, missing, too many or swapped with its
 * neighbour, two in words of seven letters and more. Undefined where none is that near.
 */
export function nearest(input: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: distance(input, word) }))
    .filter(({ word, distance }) => distance <= (word.length >= 7 ? 2 : 1))
  return near.sort((a, b) => a.distance - b.distance)[0]?.word
}

/** Edits between two words, where swapping two neighbours is one edit (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const edits = [(above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + same]
      line.push(Math.min(...edits, ...(swapped ? [(before[column - 2] ?? 0) + 1] : [])))
    }
    before = above
    above = line
  }
  return above[b.length] ?? 0
}
