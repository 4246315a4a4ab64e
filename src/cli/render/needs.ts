import { type NeedRow, REASONS } from '../../feed/need.ts'
import { ago } from './time.ts'

/** How many need you, then each with the command that answers it; no line where nobody does. */
export function needLines(needs: NeedRow[], now: number, most = needs.length): string[] {
  if (needs.length === 0) return []
  const more = needs.length - most
  return [
    `Needs you (${needs.length}):`,
    ...needs.slice(0, most).flatMap(({ session, reason, since, what, answer }) => {
      const who = session === null ? '' : `@${session} `
      return [`  ${who}${REASONS[reason]} (${ago(since, now)}): ${what}`, `    ${answer}`]
    }),
    ...(more > 0 ? [`  and ${more} more: agent-chat who`] : []),
    '',
  ]
}
