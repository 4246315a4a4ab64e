import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { readArchived, resolveId } from '../../bus/archive.ts'
import { readThread, type Thread } from '../../bus/threads.ts'
import { CodedError } from '../../errors.ts'
import { idOfFile } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { addCommand } from '../command.ts'
import { whoMaybe } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { messageJson, renderMessage } from '../render/message.ts'
import { plural } from '../render/text.ts'

export function threadCommand(program: Command, ports: Ports, run = runThread): void {
  addCommand(
    program,
    'thread',
    'the whole conversation of a message, oldest first',
    'agent-chat thread 20261121T033912',
  )
    .argument('<id>', 'the id of any message of the conversation, or any part that only one id has')
    .action((part: string, options: { json?: boolean }) => {
      const { root, messages, missing } = run(part, ports)
      if (options.json) {
        return ports.print(`${JSON.stringify({ thread: root, messages: messages.map(messageJson), missing })}\n`)
      }
      for (const id of missing) {
        const what = id === root ? 'the message that began this conversation' : 'a message of this conversation'
        ports.say(`agent-chat: ${what} is gone, or cannot be read: ${id}`)
      }
      ports.print(`${plural(messages.length, 'message')} in the thread ${root}:\n`)
      const now = ports.bus().clock.now()
      for (const message of messages) ports.print(renderMessage(message, now, undefined, message.to))
    })
}

/**
 * The conversation that a message belongs to, also where the message that began it is gone; a message that somebody put into the inbox by hand is one
 * by itself. Throws `MESSAGE_UNKNOWN` where nothing of it is left.
 */
export function runThread(part: string, ports: Pick<Ports, 'bus' | 'env'>): Thread {
  const { home } = ports.bus()
  // A first message that is gone still names its conversation.
  const named = idOfFile(`${part}.md`) !== undefined && existsSync(home.thread(part))
  const message = named ? undefined : messageOf(part, ports)
  const root = message?.thread ?? part
  const thread = readThread(home, root)
  if (thread.messages.length > 0) return thread
  if (message) return { root, messages: [message], missing: thread.missing.filter((id) => id !== message.id) }
  throw new CodedError('MESSAGE_UNKNOWN', `nothing is left of the thread ${root}`, {
    hint: 'see the ids with: agent-chat history',
  })
}

function messageOf(part: string, ports: Pick<Ports, 'bus' | 'env'>): Message {
  const { home } = ports.bus()
  const me = whoMaybe(ports)?.name
  return readArchived(home, resolveId(home, part, me), me)
}
