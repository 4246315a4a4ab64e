/** What Claude Code tells a hook, as far as it is used here. Anything may be missing. */
export type Payload = Record<string, unknown>

/**
 * The payload in the text of standard input; undefined for anything that is no object, or was cut
 * short.
 */
export function parsePayload(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined
  } catch {
    return undefined
  }
}

/** A field that is text, or undefined. */
export function textOf(payload: Payload, key: string): string | undefined {
  const value = payload[key]
  return typeof value === 'string' ? value : undefined
}
