import type { Command } from 'commander'
import { CodedError } from '../../errors.ts'
import { quote } from '../../message/name.ts'
import { isOpenTask, type Task, type TaskState, type TaskWord } from '../../message/task.ts'
import { ATTACH, type AttachFlags, attached } from '../attachOption.ts'
import { type BodyPorts, readBody } from '../body.ts'
import { addCommand } from '../command.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { type Posted, type PostPorts, post } from '../post.ts'
import { hasLeft, leftNotice } from '../recipient.ts'
import { localTime } from '../render/time.ts'
import { printSent } from '../sent.ts'
import { findTask, taskTitle } from '../task.ts'
import { taskJson } from './tasks.ts'

/** What is said of a task, and with which words. */
export type ProgressOptions = AttachFlags & {
  task: string
  word: TaskWord
  words: string[]
  file?: string
  from?: string
}

/** What was sent, or, where the task was in that state already, nothing. */
export type Progress = { task: Task; posted?: Posted }

type Flags = AttachFlags & { why?: string; file?: string; from?: string; json?: boolean }

export function acceptCommand(program: Command, ports: Ports, run = runProgress): void {
  addCommand(
    program,
    'accept',
    'take on a task',
    'agent-chat accept 20261121T033912\nagent-chat accept the contract one',
  )
    .argument('<task...>', TASK)
    .option('--from <name>', SENDER)
    .action(async (task: string[], flags: Flags) =>
      print(await run({ ...flags, task: task.join(' '), word: 'accepted', words: [] }, ports), flags, ports),
    )
}

export function declineCommand(program: Command, ports: Ports, run = runProgress): void {
  addCommand(
    program,
    'decline',
    'give a task back, and say why',
    'agent-chat decline the contract one --why "the schema is not mine"',
  )
    .argument('<task...>', TASK)
    .requiredOption('--why <text>', 'the reason')
    .option('--from <name>', SENDER)
    .action(async (task: string[], flags: Flags) =>
      print(
        await run({ ...flags, task: task.join(' '), word: 'declined', words: [flags.why ?? ''] }, ports),
        flags,
        ports,
      ),
    )
}

export function doneCommand(program: Command, ports: Ports, run = runProgress): void {
  addCommand(
    program,
    'done',
    'say that a task is done, with its result',
    'agent-chat done 20261121T033912 "src/list.ts pages now"\nagent-chat done "the contract one" --file result.md',
  )
    .argument('<task>', `${TASK} in quotes`)
    .argument('[result...]', 'the result; - reads it from standard input')
    .option('--file <path>', 'read the result from a file')
    .option(...ATTACH)
    .option('--from <name>', SENDER)
    .action(async (task: string, words: string[], flags: Flags) =>
      print(await run({ ...flags, task, word: 'done', words }, ports), flags, ports),
    )
}

export function failCommand(program: Command, ports: Ports, run = runProgress): void {
  addCommand(
    program,
    'fail',
    'say that a task cannot be done, and why',
    'agent-chat fail the contract one --why "the test database is gone"',
  )
    .argument('<task...>', TASK)
    .requiredOption('--why <text>', 'the reason')
    .option('--from <name>', SENDER)
    .action(async (task: string[], flags: Flags) =>
      print(
        await run({ ...flags, task: task.join(' '), word: 'failed', words: [flags.why ?? ''] }, ports),
        flags,
        ports,
      ),
    )
}

const TASK = 'the id of a task, a part of it, or words of the task'
const SENDER = 'the sender, where nothing else tells'

const KIND: Record<TaskWord, string> = { accepted: 'note', declined: 'reply', done: 'result', failed: 'result' }

/**
 * Tells the one who gave a task how it stands. In that state already: sends nothing. Throws as `findTask`, `USAGE` for words that were to be in
 * quotes, and `TASK_CLOSED` for a task that has ended otherwise.
 */
export async function runProgress(
  options: ProgressOptions,
  ports: PostPorts & BodyPorts & Pick<Ports, 'cwd'>,
): Promise<Progress> {
  const given = options.words.length > 0 || options.file !== undefined
  if (given) requireQuotes(options)
  const { name: from } = await whoSpeaks(ports, options.from)
  const task = findTask(options.task, from, ports)
  const { message } = task
  if (isSo(task.state, options.word)) {
    if (given) ports.say(`agent-chat: nothing was sent; ${sayMore(task)}`)
    return { task }
  }
  if (!isOpenTask(task.state)) throw closed(task)
  const left = hasLeft(message.from, ports)
  const body = given
    ? await readBody(options, ports, EXAMPLE[options.word])
    : `${SAID[options.word]}: ${taskTitle(task)}`
  const files = await attached(options, ports)
  const posted = await post(
    {
      from,
      to: message.from,
      kind: KIND[options.word],
      body,
      extra: { task_state: options.word, ...files },
      answered: message,
      ...(options.word === 'accepted' ? { quiet: 'it only says that the task was accepted' } : {}),
    },
    ports,
  )
  if (left) ports.say(leftNotice(message.from))
  return { task, posted }
}

/** `done the contract one "…"`: the first word is the task, and says nothing of which. */
function requireQuotes({ task, word }: ProgressOptions): void {
  if (word !== 'done' || !/^(a|an|the|my)$/i.test(task.trim())) return
  throw new CodedError('USAGE', `${quote(task)} names no task`, {
    hint: 'put the words of the task in quotes: agent-chat done "the contract one" "the result"',
  })
}

const EXAMPLE: Record<TaskWord, string> = {
  accepted: 'agent-chat accept <task>',
  declined: 'say why: agent-chat decline <task> --why "the reason"',
  done: 'agent-chat done <task> "the result"',
  failed: 'say why: agent-chat fail <task> --why "the reason"',
}

const SAID: Record<TaskWord, string> = { accepted: 'Accepted', declined: 'Declined', done: 'Done', failed: 'Failed' }

/** A task that is being worked on was accepted. */
function isSo(state: TaskState, word: TaskWord): boolean {
  return state === word || (word === 'accepted' && state === 'working')
}

function closed(task: Task): CodedError {
  const { message, state, since } = task
  return new CodedError('TASK_CLOSED', `the task ${message.id} has been ${state} since ${localTime(since)}`, {
    hint: `an ended task stays as it is; ${sayMore(task)}`,
  })
}

function sayMore({ message }: Task): string {
  return `to say more in its thread: agent-chat reply ${message.id} "…"`
}

function print({ task, posted }: Progress, flags: Flags, ports: Ports): void {
  if (posted) printSent(posted, flags.json === true, ports)
  else ports.print(flags.json ? `${JSON.stringify(taskJson(task))}\n` : `already ${task.state}: ${task.message.id}\n`)
}
