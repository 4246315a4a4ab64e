import type { Command } from 'commander'
import type { ContentSource } from '../../chat/content.ts'
import { tellProgress } from '../../chat/tasks/progress.ts'
import { CodedError } from '../../errors.ts'
import { taskJson } from '../../message/json.ts'
import { quote } from '../../message/name.ts'
import type { TaskWord } from '../../message/task.ts'
import { addCommand } from '../command.ts'
import { ATTACH, type AttachFlags } from '../options/attach.ts'
import { readBody } from '../options/body.ts'
import type { Ports } from '../ports.ts'
import { printSent } from '../render/sent.ts'

type Flags = AttachFlags & { why?: string; file?: string; from?: string; json?: boolean }

const TASK = 'the id of a task, a part of it, or words of the task'
const SENDER = 'the sender, where nothing else tells'

export function acceptCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'accept',
    'agent-chat accept 20261121T033912\nagent-chat accept the contract one',
  )
    .argument('<task...>', TASK)
    .option('--from <name>', SENDER)
    .action((task: string[], flags: Flags) => tell(task.join(' '), 'accepted', [], flags, ports))
}

export function declineCommand(program: Command, ports: Ports): void {
  const example = 'agent-chat decline the contract one --why "the schema is not mine"'
  refusal(program, 'decline', 'declined', example, ports)
}

export function doneCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'done',
    'agent-chat done 20261121T033912 "src/list.ts pages now"\nagent-chat done "the contract one" --file result.md',
  )
    .argument('<task>', `${TASK} in quotes`)
    .argument('[result...]', 'the result; - reads it from standard input')
    .option('--file <path>', 'read the result from a file')
    .option(...ATTACH)
    .option('--from <name>', SENDER)
    .action((task: string, words: string[], flags: Flags) =>
      tell(task, 'done', words, flags, ports),
    )
}

export function failCommand(program: Command, ports: Ports): void {
  const example = 'agent-chat fail the contract one --why "the test database is gone"'
  refusal(program, 'fail', 'failed', example, ports)
}

function refusal(
  program: Command,
  verb: 'decline' | 'fail',
  word: TaskWord,
  example: string,
  ports: Ports,
): void {
  addCommand(program, verb, example)
    .argument('<task...>', TASK)
    .requiredOption('--why <text>', 'the reason')
    .option('--from <name>', SENDER)
    .action((task: string[], flags: Flags) =>
      tell(task.join(' '), word, [flags.why ?? ''], flags, ports),
    )
}

async function tell(
  task: string,
  word: TaskWord,
  words: string[],
  flags: Flags,
  ports: Ports,
): Promise<void> {
  const given = words.length > 0 || flags.file !== undefined
  if (given && word === 'done') requireQuotes(task)
  const content: ContentSource = async () => ({
    body: await readBody({ ...flags, words }, ports, EXAMPLE[word]),
  })
  const progress = await tellProgress({ ...flags, task, word }, given ? content : undefined, ports)
  if (progress.posted) return printSent(progress.posted, flags.json === true, ports)
  const { state, message } = progress.task
  ports.print(
    flags.json
      ? `${JSON.stringify(taskJson(progress.task))}\n`
      : `already ${state}: ${message.id}\n`,
  )
}

/** `done the contract one "…"`: the first word is the task, and says nothing of which. */
function requireQuotes(task: string): void {
  if (!/^(a|an|the|my)$/i.test(task.trim())) return
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
