import { escalationId, escalationNumbers, nameEscalation } from '../../bus/index/escalations.ts'
import { messageAt } from '../../bus/mail/inbox.ts'
import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { lookAt, removeFile } from '../../system/files.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'
import type { Past } from './past.ts'

/**
 * Makes every decision that was asked for answerable by its number, and gives back numbers that
 * were taken and never used. `undelivered` is what this sweep delivers, or would: such a message
 * still has its number.
 */
export async function sweepDecisions(
  sweep: Sweep,
  past: Past,
  undelivered: readonly Message[],
): Promise<void> {
  const { home, clock } = sweep.bus
  const numbers = new Map(
    escalationNumbers(home).map((number) => [number, escalationId(home, number)]),
  )
  for (const message of questionsWithoutNumber(sweep, past, new Set(numbers.values()))) {
    const number = escalationOf(message)?.number
    // A number that leads to another decision stays that one's.
    if (number === undefined || numbers.get(number) !== undefined) continue
    numbers.set(number, message.id)
    const mend = () => nameEscalation(home, number, message.id)
    await note(sweep, 'unnumbered', { paths: [home.escalation(number)] }, mend)
  }
  const coming = new Set(undelivered.map((message) => escalationOf(message)?.number))
  for (const [number, id] of numbers) {
    const path = home.escalation(number)
    const taken = lookAt(path)?.mtimeMs
    if (
      id !== undefined ||
      coming.has(number) ||
      taken === undefined ||
      clock.now() - taken < GRACE_MS
    )
      continue
    await note(sweep, 'unused-number', { paths: [path] }, () => removeFile(path))
  }
}

/** What was asked of the human, as sent, without the decisions whose number leads to them. */
function questionsWithoutNumber(
  { bus }: Sweep,
  past: Past,
  named: Set<string | undefined>,
): Message[] {
  const ids = past.indexed.filter(
    ({ id, kind, to }) => kind === 'question' && to === HUMAN && !named.has(id),
  )
  return [...new Set(ids.map(({ id }) => id))]
    .sort()
    .flatMap((id) => messageAt(bus.home.message(id), id) ?? [])
}
