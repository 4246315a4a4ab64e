import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { ensureInbox } from '../../bus/home.ts'
import { readTask } from '../../bus/index/tasks.ts'
import { answersTo } from '../../bus/index/threads.ts'
import { ring } from '../../bus/mail/bell.ts'
import { linkOrCopy } from '../../bus/mail/publish.ts'
import { type Posted, type PostPorts, post } from '../../chat/post.ts'
import { taskTitle } from '../../chat/tasks/task.ts'
import type { Message } from '../../message/message.ts'
import { isOpenTask } from '../../message/task.ts'
import { faultPoint } from '../../system/fault.ts'
import { bodyOf, type Outcome, outcomeFields } from './outcome.ts'

/** Words about a message that somebody waits for are worth no ring. */
const PROGRESS = 'it only reports progress'

/**
 * Whether this message has its answer. One that a crash left in the archive alone is delivered now.
 */
export function isAnswered(bus: Bus, name: string, message: Message): boolean {
  const task = message.kind === 'task' ? readTask(bus.home, message.id) : undefined
  const answer = task
    ? task.result
    : answersTo(bus.home, message, name).find(
        ({ kind, to }) => kind !== 'question' && to === message.from,
      )
  if (answer) redeliver(bus, answer)
  return answer !== undefined || (task !== undefined && !isOpenTask(task.state))
}

/** Says of a task that it was taken on, or is worked on; once each, also over a crash. */
export async function tellProgress(
  word: 'accepted' | 'working',
  message: Message,
  ports: PostPorts,
): Promise<void> {
  const task = readTask(ports.bus().home, message.id)
  if (task?.state !== (word === 'accepted' ? 'sent' : 'accepted')) return
  const said = word === 'accepted' ? 'Accepted' : 'Working on it'
  await answerWith(message, ports, {
    ...{ kind: 'note', body: `${said}: ${taskTitle(task)}`, quiet: PROGRESS },
    extra: word === 'accepted' ? { task_state: word } : {},
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
  said: { kind: string; body: string; extra: Message['extra']; quiet?: string },
): Promise<Posted> {
  const { from, to, chain, hops } = answered
  return post({ from: to, to: from, answered, lineage: { chain, hops: hops + 1 }, ...said }, ports)
}

function redeliver(bus: Bus, { to, id }: Message): void {
  const { home } = bus
  if (existsSync(home.unread(to, id)) || existsSync(home.read(to, id))) return
  ensureInbox(home, to)
  linkOrCopy(home.message(id), home.unread(to, id))
  ring(bus, to)
}
