import { markRead } from '../../bus/mail/inbox.ts'
import type { Message } from '../../message/message.ts'
import { faultPoint } from '../../system/fault.ts'
import { conversationFor } from '../conversations.ts'
import type { Worker } from '../worker.ts'
import { isAnswered, sendAnswer, tellProgress } from './answer.ts'
import { dropOutcome, keepOutcome, keptOutcome } from './kept.ts'
import { lostOutcome, type Outcome } from './outcome.ts'
import { owesAnswer } from './prompt.ts'
import { MAX_ATTEMPTS, runTurn, type TurnEnd } from './run.ts'

/** Takes one message, from its prompt to its answer. It is read once its answer was sent. */
export async function takeTurn(message: Message, attempt: number, w: Worker): Promise<TurnEnd> {
  const owes = owesAnswer(message)
  const kept = owes ? keptOutcome(w.bus, w.name, message.id) : undefined
  if (owes && isAnswered(w.bus, w.name, message, kept !== undefined)) return settle(message, w)
  if (kept) return answer(message, kept, attempt, w)
  if (attempt > MAX_ATTEMPTS) {
    const why = `the worker ended ${MAX_ATTEMPTS} times in the middle of it`
    return owes ? answer(message, lostOutcome(why, ''), attempt, w) : settle(message, w)
  }
  const definition = message.kind === 'task' ? w.reread() : w.definition
  const found = conversationFor(w.bus, w.name, message, definition.hash)
  if (!found) {
    const why = `@${w.name} has no conversation ${String(message.extra.conversation)}`
    return answer(message, lostOutcome(why, ''), attempt, w)
  }
  w.state.set({ activity: 'busy', reason: undefined, message: message.id, attempt })
  w.show({ type: 'prompt', message, attempt })
  await tellProgress('accepted', message, w.ports)
  const run = await runTurn({ message, attempt, definition }, found, w)
  if (run.end !== 'outcome') return run
  if (owes) return answer(message, run.outcome, attempt, w)
  return settle(message, w)
}

async function answer(
  message: Message,
  outcome: Outcome,
  attempt: number,
  w: Worker,
): Promise<TurnEnd> {
  keepOutcome(w.bus, w.name, message.id, outcome)
  faultPoint('work:kept')
  const posted = await sendAnswer(message, outcome, w.ports)
  w.parts.openStream(message.id)({
    event: 'done',
    outcome: outcome.ok ? 'answered' : 'failed',
    answer: posted.message.id,
  })
  w.show({ type: 'sent', message: posted.message, outcome })
  return settle(message, w, attempt < MAX_ATTEMPTS ? undefined : outcome.why)
}

/** The message is read, and nothing of its turn is kept. */
function settle(message: Message, w: Worker, gaveUp?: string): TurnEnd {
  markRead(w.bus, w.name, message.id)
  dropOutcome(w.bus, w.name)
  const { requests } = w.state.now()
  w.state.set({ message: undefined, attempt: undefined, requests: requests + 1 })
  return { end: 'done', gaveUp }
}
