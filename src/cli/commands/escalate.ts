import type { Command } from 'commander'
import { escalate } from '../../chat/escalate.ts'
import { addCommand } from '../command.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../options/message.ts'
import { withSpeaker } from '../options/recipient.ts'
import type { Ports } from '../ports.ts'
import { printSent } from '../render/message.ts'

type Flags = PriorityFlags & {
  option?: string[]
  context?: string
  recommend?: string
  from?: string
  json?: boolean
}

export function escalateCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'escalate',
    'agent-chat escalate "Drop the column now?" --option "drop it" --option "keep it for a release" \\\n  --context "two clients still read it" --recommend "keep it"',
  )
  withSpeaker(command, ports)
    .argument('<question...>', 'the question that you want decided')
    .option(
      '--option <text>',
      'an option to choose from; may be repeated',
      (text: string, all?: string[]) => [...(all ?? []), text],
    )
    .option('--context <text>', 'the background of the decision')
    .option('--recommend <text>', 'your recommendation, and why')
    .option(...URGENT)
    .option(...QUIET)
    .action(async (words: string[], { json, option = [], ...flags }: Flags) => {
      const request = { ...flags, question: words.join(' '), options: option }
      const escalated = await escalate({ ...request, priority: priorityFrom(flags) }, ports)
      await printSent(escalated, json === true, ports)
      if (!json)
        ports.notice(
          `decision ${escalated.number}: the answer comes as a message; go on with other work`,
        )
    })
}
