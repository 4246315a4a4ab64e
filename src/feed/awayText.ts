import { plural } from '../message/text.ts'

/**
 * One row of what happened while the person was away. `names`: who ended the tasks; the two of a
 * pair; whom held messages are for. `opens`: the threads of the tasks or of the pair, the newest
 * first; of what is held, its chains.
 */
export type AwayLine = {
  kind: 'done' | 'failed' | 'declined' | 'pair' | 'held'
  count: number
  names: string[]
  opens: string[]
}

/** What happened while nobody pressed a key, `from` until `to` (ISO 8601). */
export type Away = { from: string; to: string; lines: AwayLine[] }

/** A row in words: `3 tasks done by @researcher`, `@backend ↔ @frontend 12 messages`. */
export function awayText({ kind, count, names }: AwayLine): string {
  const who = names.map((name) => `@${name}`)
  switch (kind) {
    case 'pair':
      return `${who.join(' ↔ ')} ${plural(count, 'message')}`
    case 'held':
      return `${plural(count, 'message')} held for ${who.join(', ')}`
    default:
      return `${plural(count, 'task')} ${kind} by ${who.join(', ')}`
  }
}
