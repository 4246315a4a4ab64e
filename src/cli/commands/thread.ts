import type { Command } from 'commander'
import { threadJson, threadOf } from '../../chat/thread.ts'
import { shortId } from '../../message/shortId.ts'
import { taskFrom } from '../../message/task.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { renderMessage } from '../render/message.ts'

export function threadCommand(program: Command, ports: Ports): void {
  addCommand(program, 'thread', 'agent-chat thread k7f3m')
    .argument('<id>', 'the id of any message of the conversation')
    .action((part: string, options: { json?: boolean }) => {
      const thread = threadOf(part, ports)
      if (options.json) return ports.print(`${JSON.stringify(threadJson(thread))}\n`)
      const { root, messages, missing } = thread
      for (const id of missing) {
        const what =
          id === root ? 'the first message of this conversation' : 'a message of this conversation'
        ports.notice(`${what} is gone, or cannot be read: ${id}`)
      }
      ports.print(`${plural(messages.length, 'message')} in the thread ${shortId(root)}:\n`)
      for (const message of messages.filter(({ kind }) => kind === 'task'))
        ports.print(`task ${shortId(message.id)}: ${taskFrom(message, messages).state}\n`)
      const now = ports.bus().clock.now()
      for (const message of messages)
        ports.print(renderMessage(message, now, undefined, message.to))
    })
}
