import { CodedError } from '../../errors.ts'
import type { Priority } from '../../message/priority.ts'

/** The two options by which a sender says how much a message asks of its recipient. */
export type PriorityFlags = { urgent?: boolean; quiet?: boolean }

/** The options themselves, as commander takes them. */
export const URGENT = ['-u, --urgent', 'ring in the middle of a turn, too'] as const
export const QUIET = ['--quiet', 'do not ring: it waits for the next look'] as const

/**
 * The priority that the options ask for; undefined where neither is given. Throws `USAGE` for both.
 */
export function priorityFrom({ urgent, quiet }: PriorityFlags): Priority | undefined {
  if (urgent && quiet) {
    throw new CodedError('USAGE', '--urgent and --quiet disagree', {
      hint: 'leave one of them out',
    })
  }
  if (urgent) return 'urgent'
  return quiet ? 'quiet' : undefined
}
