/** `n things`, or `1 thing`. */
export function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/**
 * A whole number with commas: `12,345`. Node's own way would load the tables of a language first.
 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** At most `length` characters of a line, with `…` where something was left out. */
export function clipped(line: string, length: number): string {
  if (line.length <= length) return line
  const chars = [...line]
  return chars.length <= length ? line : `${chars.slice(0, length - 1).join('')}…`
}
