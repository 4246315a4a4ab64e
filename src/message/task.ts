import type { Message } from './message.ts'

/** The states of a task, in their order. The last three end it. */
export const TASK_STATES = ['sent', 'accepted', 'working', 'done', 'failed', 'declined'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** What the one who has a task says of it, in the header field `task_state`. */
export type TaskWord = 'accepted' | 'declined' | 'done' | 'failed'

/**
 * A task as its conversation tells it: its state, since when (ISO 8601), and the message that ended
 * it, if one has.
 */
export type Task = { message: Message; state: TaskState; since: string; result?: Message }

/** How far a worker is with a task, in the header field `progress` of a note. */
export type ProgressWord = 'accepted' | 'working'

/**
 * The word of a note that says no more than how far a task is: a state of the task. It is kept with
 * its conversation, and is in nobody's way: never unread, never read.
 */
export function progressIn({
  kind,
  inReplyTo,
  extra = {},
}: {
  kind?: string
  inReplyTo?: string | undefined
  extra?: Message['extra']
}): ProgressWord | undefined {
  const word = Object.hasOwn(extra, 'progress') ? extra.progress : undefined
  const isNote = kind === 'note' && inReplyTo !== undefined
  return isNote && (word === 'accepted' || word === 'working') ? word : undefined
}

/** Whether there is still something to do. */
export function isOpenTask(state: TaskState): boolean {
  return state === 'sent' || state === 'accepted' || state === 'working'
}

/**
 * The state of a task, from the messages of its conversation and nothing else. Only what the one
 * who has the task says counts, in the order of ids, and nothing after its end. A plain result ends
 * it as done; any other word after it was accepted tells that it is being worked on.
 */
export function taskFrom(task: Message, thread: readonly Message[]): Task {
  let now: Task = { message: task, state: 'sent', since: task.timestamp }
  for (const message of thread) {
    if (!isOpenTask(now.state)) break
    const state = stateAfter(now.state, message, task)
    if (state === now.state) continue
    now = {
      message: task,
      state,
      since: message.timestamp,
      ...(isOpenTask(state) ? {} : { result: message }),
    }
  }
  return now
}

/** Whether a message ends a task by itself, whatever else was said in its conversation. */
export function endsTask(task: Pick<Message, 'id' | 'to' | 'kind'>, message: Message): boolean {
  return task.kind === 'task' && answers(task, message) && endIn(message) !== undefined
}

function stateAfter(state: TaskState, message: Message, task: Message): TaskState {
  if (answers(task, message)) {
    const word = message.extra.task_state
    const end = endIn(message)
    if (end !== undefined) return end
    if (word !== undefined) return word === 'accepted' && state === 'sent' ? 'accepted' : state
  } else if (message.from !== task.to || message.id <= task.id || isWordOnTask(message))
    return state
  return state === 'sent' ? state : 'working'
}

/** The answer names what it answers: a clock that was set back in between changes nothing. */
function answers(task: Pick<Message, 'id' | 'to'>, message: Message): boolean {
  return message.from === task.to && message.inReplyTo === task.id
}

/** How a message ends the task that it answers, if it does. */
export function endIn({
  kind,
  extra: { task_state: word },
}: Pick<Message, 'kind' | 'extra'>): TaskState | undefined {
  if (word === 'declined' || word === 'failed' || word === 'done') return word
  return kind === 'result' && word !== 'accepted' ? 'done' : undefined
}

/** What says how another task of the conversation stands tells nothing of this one. */
function isWordOnTask({ kind, extra }: Message): boolean {
  return kind === 'result' || extra.task_state !== undefined
}
