import type { Bus } from '../../bus/bus.ts'
import { record, sentFields } from '../../bus/history.ts'
import { ensureInbox } from '../../bus/home.ts'
import { noteInIndexes } from '../../bus/index/indexes.ts'
import { readTask } from '../../bus/index/tasks.ts'
import { answersTo } from '../../bus/index/threads.ts'
import { ring } from '../../bus/mail/bell.ts'
import { isDelivered, messageAt } from '../../bus/mail/inbox.ts'
import { linkOrCopy } from '../../bus/mail/publish.ts'
import { type Posted, type PostPorts, post } from '../../chat/post.ts'
import { taskTitle } from '../../chat/tasks/task.ts'
import { idOfFile } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { isOpenTask } from '../../message/task.ts'
import { faultPoint } from '../../system/fault.ts'
import { namesIn } from '../../system/files.ts'
import { bodyOf, type Outcome, outcomeFields } from './outcome.ts'

/**
 * Whether this message has its answer. One that a crash left in the archive alone is delivered now;
 * `tried`: it may be in no index either, since a worker was killed while it sent one.
 */
export function isAnswered(bus: Bus, name: string, message: Message, tried: boolean): boolean {
  const stray = tried ? strayAnswer(bus, name, message) : undefined
  if (stray) noteInIndexes(bus.home, stray)
  const task = message.kind === 'task' ? readTask(bus.home, message.id) : undefined
  const answer = task
    ? task.result
    : answersTo(bus.home, message, name).find(
        ({ kind, to }) => kind !== 'question' && to === message.from,
      )
  if (answer) redeliver(bus, answer)
  return answer !== undefined || (task !== undefined && !isOpenTask(task.state))
}

/** Files a state of a task: it was taken on, or is worked on; once each, also over a crash. */
export async function tellProgress(
  word: 'accepted' | 'working',
  message: Message,
  ports: PostPorts,
): Promise<void> {
  const task = readTask(ports.bus().home, message.id)
  if (task?.state !== (word === 'accepted' ? 'sent' : 'accepted')) return
  const said = word === 'accepted' ? 'Accepted' : 'Working on it'
  await answerWith(message, ports, {
    ...{ kind: 'note', body: `${said}: ${taskTitle(task)}` },
    extra: { ...(word === 'accepted' && { task_state: word }), progress: word },
  })
}

/** Sends what came of a message to whoever sent it. */
export async function sendAnswer(
  message: Message,
  outcome: Outcome,
  ports: PostPorts,
): Promise<Posted> {
  faultPoint('work:answering')
  const isTask = message.kind === 'task'
  const state = isTask ? { task_state: outcome.ok ? 'done' : 'failed' } : {}
  const posted = await answerWith(message, ports, {
    kind: isTask ? 'result' : 'reply',
    body: bodyOf(outcome),
    extra: { ...state, ...outcomeFields(outcome) },
  })
  faultPoint('work:answered')
  return posted
}

/** In nobody's turn: the answer follows from the message, and from nothing else. */
function answerWith(
  answered: Message,
  ports: PostPorts,
  said: { kind: string; body: string; extra: Message['extra'] },
): Promise<Posted> {
  const { from, to, chain, hops } = answered
  return post({ from: to, to: from, answered, lineage: { chain, hops: hops + 1 }, ...said }, ports)
}

/** An answer in the archive, whatever the indexes know. Looks at names first: few are this worker's. */
function strayAnswer({ home }: Bus, name: string, { id, from }: Message): Message | undefined {
  const mine = namesIn(home.messages).flatMap((file) => idOfFile(file) ?? [])
  return mine
    .filter((one) => one.endsWith(`-from-${name}`) && one > id)
    .flatMap((one) => messageAt(home.message(one), one, home) ?? [])
    .find(({ inReplyTo, to, kind }) => inReplyTo === id && to === from && ENDS.includes(kind))
}

const ENDS = ['reply', 'result']

function redeliver(bus: Bus, answer: Message): void {
  const { home } = bus
  const { to, id } = answer
  if (isDelivered(home, answer)) return
  ensureInbox(home, to)
  linkOrCopy(home.message(id), home.unread(to, id))
  record(bus, 'sent', sentFields(answer))
  ring(bus, to)
}
