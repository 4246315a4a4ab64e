/** Whose a prompt is, and so what becomes of the turn: yours opens it, the client's own leaves it. */
export type Whose = 'you' | 'client' | 'nobody'

/** A line of the client's record. `early`: its time is before that of the hook it is written after. */
export type Line = { entry: Record<string, unknown>; early?: true }

/**
 * A hook of the client, what was in its record by then and not at the hook before, and what the
 * panel had last seen.
 */
export type Step = {
  lines: Line[]
  hook: 'user-prompt-submit' | 'pre-tool-use'
  payload: Record<string, unknown>
  panel?: string
}

/** What a client told of one prompt, up to the change by which the turn is judged. */
export type Recording = {
  origin: string
  whose: Whose
  size: number
  /** Whether the client has a screen, and so may have the panel. */
  screen: boolean
  /** The turn under way, where the prompt came in the middle of one. */
  inside?: 'open' | 'closed'
  /** What the session's state knew of its own tasks and schedules. */
  known: Record<string, unknown>
  steps: Step[]
}

/** As many signs as nobody writes alike. */
const RUN = /x{90,}/

/** A long run of one sign as its length; anything else as it is. */
export function folded(value: unknown): unknown {
  return mapped(value, (text) => {
    const run = RUN.exec(text)
    if (!run) return text
    const after = text.slice(run.index + run[0].length)
    return { parts: [text.slice(0, run.index), { fill: run[0].length }, folded(after)].flat() }
  })
}

/** What was folded. `replace`: what to put for the placeholders. */
export function unfolded<T>(value: T, replace: (text: string) => string): T {
  const partsOf = (one: unknown): string => {
    if (typeof one === 'string') return replace(one)
    if (typeof one !== 'object' || one === null) return ''
    if ('fill' in one) return 'x'.repeat(Number(one.fill))
    return 'parts' in one && Array.isArray(one.parts) ? one.parts.map(partsOf).join('') : ''
  }
  const walk = (one: unknown): unknown => {
    if (typeof one === 'object' && one !== null && 'parts' in one) return partsOf(one)
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, field]) => [key, walk(field)]))
    return typeof one === 'string' ? replace(one) : one
  }
  return walk(value) as T
}

/** A value with every text in it changed. */
export function mapped(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapped(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, mapped(field, change)]),
  )
}
