import type { Command } from 'commander'
import { readSessions } from '../../bus/registry.ts'
import { openTasks } from '../../bus/tasks.ts'
import { CodedError } from '../../errors.ts'
import { parseRecipient } from '../../message/name.ts'
import { ATTACH, type AttachFlags, attached } from '../attachOption.ts'
import { type BodyPorts, parseSubject, readBody } from '../body.ts'
import { addCommand } from '../command.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { type Posted, type PostPorts, post } from '../post.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../priority.ts'
import { recipientFor } from '../recipient.ts'
import { printSent } from '../sent.ts'
import { taskTitle } from '../task.ts'

export type TaskOptions = PriorityFlags &
  AttachFlags & {
    recipient: string
    words: string[]
    file?: string
    subject?: string
    from?: string
  }

export function taskCommand(program: Command, ports: Ports, run = runTask): void {
  addCommand(
    program,
    'task',
    'give a session a task whose state can be followed',
    'agent-chat task @frontend "Move the list to GET /tasks?page=2"\nagent-chat task @frontend --subject "Paging" --file task.md',
  )
    .argument('<recipient>', 'a session, as @name')
    .argument('[text...]', 'what is to be done; - reads it from standard input')
    .option('--file <path>', 'read the text from a file')
    .option(...ATTACH)
    .option('--subject <line>', 'one line that says what it is about')
    .option(...URGENT)
    .option(...QUIET)
    .option('--from <name>', 'the sender, where nothing else tells')
    .action(
      async (
        recipient: string,
        words: string[],
        options: Omit<TaskOptions, 'recipient' | 'words'> & { json?: boolean },
      ) => printSent(await run({ ...options, recipient, words }, ports), options.json === true, ports),
    )
}

/** Sends a task. Says what the recipient still has to do, if anything. Throws as `send`, and `USAGE` for a task to oneself. */
export async function runTask(
  options: TaskOptions,
  ports: PostPorts & BodyPorts & Pick<Ports, 'cwd'>,
): Promise<Posted> {
  const recipient = parseRecipient(options.recipient)
  const subject = options.subject === undefined ? {} : { subject: parseSubject(options.subject) }
  const priority = priorityFrom(options)
  const { home } = ports.bus()
  const sessions = readSessions(home)
  const { name: from } = await whoSpeaks(ports, options.from, sessions)
  const to = recipientFor(recipient, sessions, ports)
  if (from === to) {
    throw new CodedError('USAGE', `@${to} cannot give itself a task`, {
      hint: 'a task goes to another session: see agent-chat who',
    })
  }
  const body = await readBody(options, ports, `agent-chat task @${to} "what is to be done"`)
  const extra = await attached(options, ports)
  const open = openTasks(home).filter(({ message }) => message.to === to)
  const posted = await post({ from, to, kind: 'task', body, extra, ...subject, priority }, ports)
  const [first] = open
  if (first) {
    const more = open.length === 1 ? '' : `, and ${open.length - 1} more`
    ports.say(
      `agent-chat: @${to} has an open task already: ${taskTitle(first)} (${first.state})${more}; see: agent-chat tasks --open`,
    )
  }
  return posted
}
