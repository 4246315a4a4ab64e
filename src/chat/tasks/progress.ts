import { CodedError } from '../../errors.ts'
import { shortId } from '../../message/shortId.ts'
import { isOpenTask, type Task, type TaskState, type TaskWord } from '../../message/task.ts'
import { seenBy, taskSeen } from '../../session/withheld.ts'
import { localTime } from '../../system/zone.ts'
import { attached, type ContentSource, contentOf } from '../content.ts'
import { readerHere, whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { type Posted, post } from '../post.ts'
import { absentNotice } from '../recipient.ts'
import type { SendPorts } from '../send.ts'
import { taskNamed, taskTitle } from './task.ts'

/**
 * What is said of a task. `named`: the words of the command, which name the task as `taskNamed()`
 * says. `verb`: the command. `attach`: the paths of files.
 */
export type ProgressRequest = {
  named: readonly string[]
  verb: string
  word: TaskWord
  from?: string | undefined
  attach?: readonly string[] | undefined
}

/** What was sent, or, where the task was in that state already, nothing. */
export type Progress = { task: Task; posted?: Posted }

/**
 * Tells the one who gave a task its new state, in the text that `content` makes of the words behind
 * the task's name, or else with its title. Sends nothing where the state is not new. Throws as
 * `taskNamed()`, `TASK_CLOSED` for a task that has ended otherwise, and `BODY_EMPTY` where there is
 * no reason for what needs one.
 */
export async function tellProgress(
  { word, ...request }: ProgressRequest,
  contentFrom: (words: string[], id: string) => ContentSource | undefined,
  ports: SendPorts & Pick<Ports, 'cwd'>,
): Promise<Progress> {
  const { name: from } = await whoSpeaks(ports, request.from)
  const { task, rest } = taskNamed(request.named, from, request.verb, ports)
  const { message } = task
  const shown = taskSeen(task, seenBy(readerHere(ports), ports.bus()))
  const content = contentFrom(rest, shortId(message.id))
  if (isSo(task.state, word)) {
    if (content !== undefined) ports.notice(`nothing was sent; ${sayMore(task)}`)
    return { task: shown }
  }
  if (!isOpenTask(task.state)) throw closed(task)
  if (content === undefined && (word === 'declined' || word === 'failed')) {
    throw new CodedError('BODY_EMPTY', `the reason is missing: ${taskTitle(shown)}`, {
      hint: `agent-chat ${request.verb} ${shortId(message.id)} "the reason"`,
    })
  }
  const to = message.from
  const absent = await absentNotice(to, ports)
  const { body, extra } = await contentOf(content ?? `${SAID[word]}: ${taskTitle(shown)}`, from, to)
  const files = await attached(request.attach, ports)
  const posted = await post(
    {
      from,
      to,
      kind: KIND[word],
      body,
      extra: { task_state: word, ...extra, ...files },
      answered: message,
      ...(word === 'accepted' ? { quiet: 'it only reports that the task was accepted' } : {}),
    },
    ports,
  )
  if (absent !== undefined) ports.notice(absent)
  return { task: shown, posted }
}

const KIND: Record<TaskWord, string> = {
  accepted: 'note',
  declined: 'reply',
  done: 'result',
  failed: 'result',
}

const SAID: Record<TaskWord, string> = {
  accepted: 'Accepted',
  declined: 'Declined',
  done: 'Done',
  failed: 'Failed',
}

/** A task that is being worked on was accepted. */
function isSo(state: TaskState, word: TaskWord): boolean {
  return state === word || (word === 'accepted' && state === 'working')
}

function closed(task: Task): CodedError {
  const { message, state, since } = task
  return new CodedError(
    'TASK_CLOSED',
    `the task ${shortId(message.id)} has been ${state} since ${localTime(since)}`,
    { hint: `its state cannot change; ${sayMore(task)}` },
  )
}

function sayMore({ message }: Task): string {
  return `to say more in its thread: agent-chat reply ${shortId(message.id)} "…"`
}
