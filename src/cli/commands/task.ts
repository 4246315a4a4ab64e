import type { Command } from 'commander'
import { attached } from '../../chat/content.ts'
import { giveTask } from '../../chat/tasks/give.ts'
import { addCommand } from '../command.ts'
import { FILE, MESSAGE, readBody, SUBJECT } from '../options/body.ts'
import {
  ATTACH,
  type AttachFlags,
  type PriorityFlags,
  priorityFrom,
  QUIET,
  URGENT,
} from '../options/message.ts'
import { toRecipient, withSpeaker } from '../options/recipient.ts'
import type { Ports } from '../ports.ts'
import { printSent } from '../render/message.ts'

type Flags = PriorityFlags &
  AttachFlags & { message?: string; file?: string; subject?: string; from?: string; json?: boolean }

export function taskCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'task',
    'agent-chat task @frontend "Move the list to GET /tasks?page=2"\nagent-chat task @frontend -s "Paging" -f task.md',
  )
  withSpeaker(command, ports)
    .argument('<recipient>', 'a session, as @name')
    .argument('[text...]', 'the task; - reads standard input')
    .option(...MESSAGE)
    .option(...FILE)
    .option(...ATTACH)
    .option(...SUBJECT)
    .option(...URGENT)
    .option(...QUIET)
    .action(async (recipient: string, words: string[], options: Flags) => {
      const content = async (_: string, to: string) => ({
        body: await readBody(
          { ...options, words },
          ports,
          `agent-chat task @${to} "what is to be done"`,
        ),
        extra: await attached(options.attach, ports),
      })
      const priority = priorityFrom(options)
      const posted = await toRecipient('task', recipient, words, () =>
        giveTask({ ...options, recipient, priority }, content, ports),
      )
      await printSent(posted, options.json === true, ports)
    })
}
