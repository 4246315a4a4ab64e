import { existsSync } from 'node:fs'
import { readTask } from '../bus/index/tasks.ts'
import { markRead, openInbox } from '../bus/mail/inbox.ts'
import { isSilent, markOf } from '../bus/mail/marks.ts'
import { post } from '../chat/post.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { shortId } from '../message/shortId.ts'
import { MAX_ATTEMPTS } from './turn/run.ts'
import { takeTurn } from './turn/turn.ts'
import type { Worker } from './worker.ts'

/** How the work ended: as it should, or why it cannot go on. */
export type WorkEnd = { end: 'stopped' | 'idle' } | { end: 'failed'; why: string }

/** The backup of file events, and a look at whether the day's budget is new. In milliseconds. */
const SCAN_MS = 5000
const BUDGET_MS = 60_000

/** The waits before the second and the third try. In milliseconds. */
const AGAIN_MS = [0, 4000]

/**
 * Takes one message after the other, the oldest first, until there is a reason to end. While the
 * human has paused everything, none.
 */
export async function workOn(w: Worker): Promise<WorkEnd> {
  let idleSince = w.bus.clock.now()
  while (w.stop.asked === 'no') {
    const message = existsSync(w.bus.home.paused) ? undefined : nextMessage(w)
    if (message === undefined) {
      const left = idleSince + w.definition.maxIdleSeconds * 1000 - w.bus.clock.now()
      if (!w.definition.persistent && left <= 0) return { end: 'idle' }
      const { activity, reason } = w.state.now()
      if (activity !== 'idle' || reason !== undefined) await rest(w)
      await w.stop.sleep(w.definition.persistent ? SCAN_MS : Math.min(SCAN_MS, left))
      continue
    }
    if (!(await affords(w))) continue
    const end = await work(message, w)
    if (end) return end
    idleSince = w.bus.clock.now()
  }
  return { end: 'stopped' }
}

/** The oldest message that is the worker's to take; urgent ones come first. */
function nextMessage(w: Worker): Message | undefined {
  const { bus, name } = w
  const inbox = openInbox(bus, name)
  for (let message = inbox.next(); message; message = inbox.next()) {
    const mark = markOf(bus.home, name, message.id)
    // What is held waits for the human, and what a process waits for is that one's to read.
    if (mark?.ring !== 'quiet' && isSilent(mark, bus.processes)) continue
    if (isProgress(message, w) || w.parts.answersDecision(message) === 'spent')
      markRead(bus, name, message.id)
    else return message
  }
  return undefined
}

/** Word of a task that the worker itself has given: nothing to do about that. */
function isProgress({ kind, inReplyTo }: Message, { bus, name }: Worker): boolean {
  if (kind !== 'note' || inReplyTo === undefined) return false
  return readTask(bus.home, inReplyTo)?.message.from === name
}

/** Works on one message until it is done with. Gives how the work ends, where it does. */
async function work(message: Message, w: Worker): Promise<WorkEnd | undefined> {
  const before = w.state.now()
  let attempt = before.message === message.id ? (before.attempt ?? 0) : 0
  for (;;) {
    attempt += 1
    const turn = await takeTurn(message, attempt, w)
    w.keeper.rest()
    if (turn.end === 'done') {
      if (turn.gaveUp !== undefined) await tellHuman(givenUp(message, turn.gaveUp, w.name), w)
      return undefined
    }
    if (turn.end !== 'again') {
      // It was no fault of the message: it does not count towards the last try.
      w.state.set({ attempt: Math.min(attempt, MAX_ATTEMPTS - 1) })
      return turn.end === 'stopped' ? { end: 'stopped' } : { end: 'failed', why: turn.why }
    }
    w.show({ type: 'told', text: `${shortId(message.id)}: ${turn.why}; it is tried again` })
    w.state.set({ activity: 'crashed', reason: turn.why })
    await w.stop.sleep(AGAIN_MS[attempt - 1] ?? 0)
    if (w.stop.asked !== 'no') return { end: 'stopped' }
  }
}

function givenUp({ id, from }: Message, why: string, name: string): string {
  return `@${name} gave up on ${shortId(id)} from @${from}: ${why}. @${from} was told. See it with: agent-chat thread ${shortId(id)}`
}

async function affords(w: Worker): Promise<boolean> {
  if (!(await w.parts.overBudget())) return true
  await rest(w)
  await w.stop.sleep(BUDGET_MS)
  return false
}

/** It has nothing to do; whoever asks it sees whether it could. */
async function rest(w: Worker): Promise<void> {
  const reason = (await w.parts.overBudget()) ? 'its budget for today is spent' : undefined
  const now = w.state.now()
  if (now.activity !== 'idle' || now.reason !== reason) w.state.set({ activity: 'idle', reason })
}

/** Tells the human something of the worker, in nobody's turn. */
export async function tellHuman(
  text: string,
  { name, ports }: Pick<Worker, 'name' | 'ports'>,
): Promise<void> {
  const lineage = { chain: undefined, hops: 0 }
  await post({ from: name, to: HUMAN, kind: 'note', body: text, lineage }, ports)
}
