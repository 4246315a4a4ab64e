import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { liveAsks } from '../../bus/index/asks.ts'
import { escalationId } from '../../bus/index/escalations.ts'
import { answersTo } from '../../bus/index/threads.ts'
import { messageAt, readMessageFile } from '../../bus/mail/inbox.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { readSessions } from '../../bus/names/registry.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { namesIn } from '../../system/files.ts'
import { countedAnswer } from '../human/answers.ts'
import { readLedger } from './ledger.ts'

/** Every decision has a file. Only the last are looked at: the cost must not grow with them all. */
const MAX_DECISIONS = 50

/**
 * The questions that wait for the human's answer, oldest first: those in the inbox, those that a
 * session has open or waits for, and decisions. An answer that counts closes a question. So does
 * the human by speaking to the session that asked, once that was read.
 */
export function questionsToHuman(bus: Bus): Message[] {
  const { home } = bus
  const ids = new Set([...unreadIds(home, HUMAN), ...askedIds(bus), ...decisionIds(home)])
  return [...ids].sort().flatMap((id) => {
    const message = messageOf(home, id)
    const open =
      message?.kind === 'question' &&
      message.to === HUMAN &&
      countedAnswer(bus, message) === undefined
    return open ? [message] : []
  })
}

/** Those of the messages that are questions of `asker` to `to` without an answer, oldest first. */
export function openBetween({ home }: Bus, ids: string[], asker: string, to: string): Message[] {
  return [...new Set(ids)].sort().flatMap((id) => {
    const message = messageAt(home.message(id), id, home)
    const open =
      message?.kind === 'question' &&
      message.from === asker &&
      message.to === to &&
      answersTo(home, message, to).length === 0
    return open ? [message] : []
  })
}

/** The questions to the human that sessions have open, and those that a command waits for. */
function askedIds(bus: Bus): string[] {
  const waited = liveAsks(bus).flatMap(({ to, id }) => (to === HUMAN && id !== null ? [id] : []))
  const open = Object.keys(readSessions(bus.home)).flatMap((name) => {
    const { questions } = readLedger(bus.home, name)
    return Object.hasOwn(questions, HUMAN) ? [questions[HUMAN]?.id ?? ''] : []
  })
  return [...waited, ...open]
}

function decisionIds(home: Home): string[] {
  const numbers = namesIn(home.escalations).filter((file) => /^\d{1,9}$/.test(file))
  const last = numbers.map(Number).sort((a, b) => a - b)
  return last.slice(-MAX_DECISIONS).flatMap((number) => escalationId(home, number) ?? [])
}

/** A message that somebody put into the inbox by hand is in no archive. */
function messageOf(home: Home, id: string): Message | undefined {
  for (const path of [home.message(id), home.unread(HUMAN, id)]) {
    const message = readMessageFile(path, `${id}.md`, home)
    if (typeof message === 'object') return message
  }
  return undefined
}
