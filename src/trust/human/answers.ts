import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { answersTo } from '../../bus/index/threads.ts'
import { markOf } from '../../bus/mail/marks.ts'
import { nameNow } from '../../bus/names/names.ts'
import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { isUnproven } from '../../message/proven.ts'
import { askedOf } from '../../session/asked.ts'
import { isWord } from '../../session/words.ts'

/** `held`: it is kept until the human releases it, and counts or not from then on. */
export type Count = 'yes' | 'held' | 'no'

/**
 * Whether an answer to a question to the human counts: the one rule for every surface that shows
 * what waits for them, and for who acts on the answer. Any answer that is proven to be theirs closes
 * a question. A decision is closed by an answer to the one who asked, that does not ask back; one of
 * a worker's, by an answer that was typed.
 */
export function countOf(bus: Bus, asked: Message, answer: Message): Count {
  const { home } = bus
  const to = nameNow(home, answer.to)
  if (isUnproven(answer)) return 'no'
  if (markOf(home, to, answer.id)?.ring === 'held') return 'held'
  if (!escalationOf(asked)) return 'yes'
  if (answer.kind === 'question' || to !== nameNow(home, asked.from)) return 'no'
  return asked.extra.permission === undefined || isTyped(bus, to, asked, answer) ? 'yes' : 'no'
}

/** The first answer that counts, or undefined: the question is open. */
export function countedAnswer(bus: Bus, asked: Message): Message | undefined {
  return answersTo(bus.home, asked, HUMAN).find((answer) => countOf(bus, asked, answer) === 'yes')
}

/**
 * Why no answer to a worker's decision counts, however it is given; undefined where one does. Typed
 * words open nothing under `AGENT_CHAT_HUMAN=ask`: here, or where the worker runs.
 */
export function whyNoneCounts(
  { home }: Bus,
  asked: Message,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (asked.extra.permission === undefined) return undefined
  if (env.AGENT_CHAT_HUMAN === 'ask') return 'AGENT_CHAT_HUMAN is ask here'
  const name = nameNow(home, asked.from)
  return askedOf(home, name, asked.id)?.human === 'ask'
    ? `AGENT_CHAT_HUMAN is ask where @${name} runs`
    : undefined
}

/**
 * Any program of the account can answer in the human's name. Once the worker has read an answer it
 * knows which did not count; the note of the typed ones is forgotten after a week.
 */
function isTyped(bus: Bus, name: string, asked: Message, { id }: Message): boolean {
  const { home } = bus
  const known = askedOf(home, name, asked.id)
  if (known?.spent) return true
  if (known?.human === 'ask' || known?.refused?.includes(id)) return false
  return isWord(home, name, id) || existsSync(home.read(name, id))
}
