import type { Command } from 'commander'
import type { Stage } from '../../bus/mail/fate.ts'
import type { Mark } from '../../bus/mail/marks.ts'
import type { AttachedState } from '../../chat/attach.ts'
import { attachedTo, type Lines, linesOf, showMessage, shownJson } from '../../chat/show.ts'
import { threadJson, threadOf } from '../../chat/thread.ts'
import { messageJson } from '../../message/json.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import { taskFrom } from '../../message/task.ts'
import { plural } from '../../message/text.ts'
import { visibleLine } from '../../message/visible.ts'
import { workDone, workLines } from '../../message/workDone.ts'
import { localTime } from '../../system/zone.ts'
import { addCommand } from '../command.ts'
import { parseLines } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { failedText } from '../render/failed.ts'
import { renderMessage } from '../render/message.ts'

export function showCommand(program: Command, ports: Ports): void {
  addCommand(program, 'show', 'agent-chat show k7f3m\nagent-chat show k7f3m --lines 41-80')
    .argument('<id>', 'the id of a message, or the number of a decision')
    .option('--lines <range>', 'show only these lines: 41-80, 41-, -40 or 41', parseLines)
    .action(async (part: string, options: { json?: boolean; lines?: Lines }) => {
      const shown = showMessage(part, ports)
      const { message, fate, silent, waits, task } = shown
      if (options.lines && message.extra.withheld === undefined)
        return printLines(message, options.lines, options.json === true, ports)
      const attached = await attachedTo(message)
      if (options.json) return ports.print(`${JSON.stringify(shownJson(shown, attached))}\n`)
      const now = ports.bus().clock.now()
      const failed = failedText(shown, now)
      ports.print(
        `${shortId(message.id)} is ${message.id}\nto @${message.to} · ${fate.place}${task === undefined ? '' : ` · task ${task.state}`}${silentText(silent)}${waits === null ? '' : ` · not delivered yet: ${waits}`}${failed && ` · ${failed}`}\n${fate.stages.map(renderStage).join('')}`,
      )
      ports.print(renderMessage(message, now))
      for (const line of resultLines(task?.result)) ports.print(line)
      for (const { path, state } of attached)
        ports.print(`attached ${visibleLine(path)}: ${STATES[state]}\n`)
    })
}

/** What came of a task, in the words of whoever had it. */
function resultLines(result: Message | undefined): string[] {
  if (result === undefined) return []
  const work = workDone(result)
  const [first = ''] = result.body.trim().split('\n')
  const lines = [
    `result ${shortId(result.id)}: ${work?.failed ?? work?.summary ?? visibleLine(first)}`,
    ...(work === undefined ? [] : workLines(work)),
  ]
  return lines.map((line) => `${line}\n`)
}

const STATES: Record<AttachedState, string> = {
  same: 'unchanged since it was sent',
  changed: 'has changed since',
  missing: 'is gone',
  unreadable: 'cannot be read now',
}

/** A part of the body, between the lines of the message. */
function printLines(
  message: Message,
  range: Lines,
  json: boolean,
  ports: Pick<Ports, 'bus' | 'print'>,
): void {
  const { body, ...lines } = linesOf(message, range)
  const part = { ...message, body }
  const head = `lines ${lines.from} to ${lines.to} of ${lines.of}:\n`
  ports.print(
    json
      ? `${JSON.stringify({ ...messageJson(part), lines })}\n`
      : head + renderMessage(part, ports.bus().clock.now()),
  )
}

function silentText(silent: Mark | null): string {
  if (silent === null || ['resumed', 'awaited', 'urgent'].includes(silent.ring)) return ''
  if (silent.ring === 'quiet') return ` · stored, not delivered yet: ${silent.why}`
  return ` · held: ${silent.why}; release it with: agent-chat release ${shortId(silent.chain)}`
}

function renderStage({ stage, at, doorbell, why, by }: Stage): string {
  const reason = why === undefined ? '' : `: ${why}`
  const more = `${doorbell === undefined ? '' : ` by the ${doorbell} doorbell`}${by === undefined ? '' : ` by ${shortId(by)}`}${reason}`
  return `  ${stage.padEnd(9)} ${localTime(at)}${more}\n`
}

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
