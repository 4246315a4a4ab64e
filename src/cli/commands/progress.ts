import type { Command } from 'commander'
import type { ContentSource } from '../../chat/content.ts'
import { postedJson } from '../../chat/post.ts'
import { tellProgress } from '../../chat/tasks/progress.ts'
import { taskTitle } from '../../chat/tasks/task.ts'
import { taskJson } from '../../message/json.ts'
import type { TaskWord } from '../../message/task.ts'
import type { Word } from '../../message/verbs.ts'
import { addCommand } from '../command.ts'
import { FILE, MESSAGE, readBody } from '../options/body.ts'
import { ATTACH, type AttachFlags } from '../options/message.ts'
import { withSpeaker } from '../options/recipient.ts'
import type { Ports } from '../ports.ts'

type Flags = AttachFlags & { message?: string; file?: string; from?: string; json?: boolean }

export function acceptCommand(program: Command, ports: Ports): void {
  progressCommand(program, 'accept', 'accepted', 'agent-chat accept k7f3m', ports)
}

export function declineCommand(program: Command, ports: Ports): void {
  const example = 'agent-chat decline k7f3m "the schema is not mine"'
  progressCommand(program, 'decline', 'declined', example, ports)
}

export function doneCommand(program: Command, ports: Ports): void {
  const example =
    'agent-chat done k7f3m "src/list.ts pages now"\nagent-chat done "the contract one" -f result.md'
  progressCommand(program, 'done', 'done', example, ports)
}

export function failCommand(program: Command, ports: Ports): void {
  const example = 'agent-chat fail k7f3m "the test database is gone"'
  progressCommand(program, 'fail', 'failed', example, ports)
}

/** All four have one grammar: `<verb> [task] [text…]`. */
function progressCommand(
  program: Command,
  verb: Word,
  word: TaskWord,
  example: string,
  ports: Ports,
): void {
  const command = addCommand(program, verb, example)
  withSpeaker(command, ports)
    .argument(
      '[task]',
      'the id of a task, or some of its words in quotes (default: the only open one)',
    )
    .argument('[text...]', 'the text; - reads standard input')
    .option(...MESSAGE)
    .option(...FILE)
    .option(...ATTACH)
    .addOption(command.createOption('--why <text>').hideHelp())
    .on('option:why', (text: string) => {
      ports.notice('--why is now called --message')
      command.setOptionValue('message', text)
    })
    .action((task: string | undefined, text: string[], flags: Flags) =>
      tell(verb, word, task === undefined ? [] : [task, ...text], flags, ports),
    )
}

async function tell(
  verb: Word,
  word: TaskWord,
  named: string[],
  flags: Flags,
  ports: Ports,
): Promise<void> {
  const content = (words: string[], id: string): ContentSource | undefined =>
    words.length > 0 || (flags.message ?? flags.file) !== undefined
      ? async () => ({
          body: await readBody({ ...flags, words }, ports, `agent-chat ${verb} ${id} "…"`),
        })
      : undefined
  const { task, posted } = await tellProgress({ ...flags, named, verb, word }, content, ports)
  if (posted?.warning !== undefined) ports.notice(posted.warning)
  if (flags.json) {
    const data = posted ? postedJson(posted) : taskJson(task)
    return ports.print(`${JSON.stringify(data)}\n`)
  }
  const what = posted ? word : `already ${task.state}`
  ports.print(`${what}: ${taskTitle(task)} (from @${task.message.from})\n`)
}
