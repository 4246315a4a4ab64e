import { CodedError } from '../../errors.ts'
import type { Priority } from '../../message/priority.ts'

/** The option by which a sender names files, as commander takes it. */
export const ATTACH = [
  '--attach <path>',
  'attach a file: its path, size and hash; may be repeated',
  (path: string, all: string[] = []) => [...all, path],
] as const

export type AttachFlags = { attach?: string[] }

/** The two options by which a sender says how much a message asks of its recipient. */
export type PriorityFlags = { urgent?: boolean; quiet?: boolean }

/** The options themselves, as commander takes them. */
export const URGENT = ['-u, --urgent', 'wake the session in the middle of a turn'] as const
export const QUIET = ['--quiet', 'wake nobody; the session finds it at its next look'] as const

/**
 * The priority that the options ask for; undefined where neither is given. Throws `USAGE` for both.
 */
export function priorityFrom({ urgent, quiet }: PriorityFlags): Priority | undefined {
  if (urgent && quiet) {
    throw new CodedError('USAGE', '--urgent and --quiet exclude each other', {
      hint: 'leave one out',
    })
  }
  if (urgent) return 'urgent'
  return quiet ? 'quiet' : undefined
}
