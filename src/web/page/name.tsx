/** A name with a mark of its own colour; the text says it all without. */
export function Name({ name }: { name: string }) {
  return <span class={`name hue${hueOf(name)}`}>{name === 'human' ? 'you' : `@${name}`}</span>
}

/** One of eight colours, always the same for a name. */
function hueOf(name: string): number {
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973
  return name === 'human' ? 0 : 1 + (sum % 7)
}
