import { CodedError } from '../../errors.ts'
import { shellQuoted } from '../../system/shellQuoted.ts'
import { personHere } from '../../trust/human/person.ts'
import type { Ports } from '../ports.ts'

/** Commands in which a person without a terminal says who they are. */
const SPOKEN = ['send', 'ask', 'reply', 'task', 'accept', 'decline', 'done', 'fail']

/** A longer word would hide the line around it. */
const LONGEST = 60

/**
 * `error`, of a command that knows nobody to speak as. Where neither a terminal nor a sign of an
 * agent tells who typed it, as in `ssh` without `-t`, in cron or from a key of an editor, its hint
 * begins with the line that goes on as the person's.
 */
export function withPersonsLine(error: CodedError, argv: string[], ports: Ports): CodedError {
  const [verb = '', ...rest] = argv
  const words = verb === 'inbox' ? ['human', ...rest] : asHuman(rest)
  if (verb !== 'inbox' && !SPOKEN.includes(verb)) return error
  if (personHere(ports).is !== 'nobody') return error
  const line = `agent-chat ${[verb, ...words.map(shown)].join(' ')}`
  return new CodedError(error.code, error.message, {
    hint: `a person without a terminal types: ${line}; a session: ${error.hint}`,
    cause: error,
  })
}

/** Options end at two dashes. */
function asHuman(words: string[]): string[] {
  const at = words.includes('--') ? words.indexOf('--') : words.length
  return [...words.slice(0, at), '--as', 'human', ...words.slice(at)]
}

function shown(word: string): string {
  if (word.length > LONGEST || /[\0-\x1f]/.test(word)) return '"…"'
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word)
}
