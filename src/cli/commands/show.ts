import type { Command } from 'commander'
import { readArchived, resolveId } from '../../bus/archive.ts'
import { type Fate, fateOf, type Stage } from '../../bus/fate.ts'
import { type HeldMark, markOf } from '../../bus/held.ts'
import { attachmentsOf } from '../../message/attachment.ts'
import type { Message } from '../../message/message.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Attached, AttachedState } from '../attach.ts'
import { addCommand } from '../command.ts'
import { whoMaybe } from '../identity.ts'
import { type Lines, linesOf, parseLines } from '../lines.ts'
import type { Ports } from '../ports.ts'
import { messageJson, renderMessage } from '../render/message.ts'
import { localTime } from '../render/time.ts'
import { whyNotRung } from '../whyNotRung.ts'

/** `silent`: why it does not ring, or rings otherwise than others, while it is unread. `waits`: why it has not rung yet. */
export type Shown = { message: Message; fate: Fate; silent: HeldMark | null; waits: string | null }

export function showCommand(program: Command, ports: Ports, run = runShow): void {
  addCommand(
    program,
    'show',
    'one message, with what has become of it',
    'agent-chat show 20261121T033912\nagent-chat show 20261121T033912 --lines 41-80',
  )
    .argument('<id>', 'the id of a message, or any part that only one id has')
    .option('--lines <range>', 'only these lines of its body: 41-80, 41-, -40 or 41', parseLines)
    .action(async (part: string, options: { json?: boolean; lines?: Lines }) => {
      const { message, fate, silent, waits } = run(part, ports)
      if (options.lines) return printLines(message, options.lines, options.json === true, ports)
      const attached = await checkAttached(message)
      if (options.json) {
        const attachments = attached.length === 0 ? {} : { attachments: attached }
        const json = { ...messageJson(message), ...attachments, ...fate, silent, waits }
        return ports.print(`${JSON.stringify(json)}\n`)
      }
      ports.print(
        `to @${message.to} · ${fate.place}${silentText(silent)}${waits === null ? '' : ` · not rung yet: ${waits}`}\n${fate.stages.map(renderStage).join('')}`,
      )
      ports.print(renderMessage(message, ports.bus().clock.now()))
      for (const { path, state } of attached) ports.print(`attached ${visibleLine(path)}: ${STATES[state]}\n`)
    })
}

/** One message and its fate. It is neither marked as read nor moved. */
export function runShow(part: string, ports: Pick<Ports, 'bus' | 'env'>): Shown {
  const bus = ports.bus()
  const { home } = bus
  const me = whoMaybe(ports)?.name
  const message = readArchived(home, resolveId(home, part, me), me)
  const silent = markOf(home, message.to, message.id) ?? null
  const fate = fateOf(home, message.id, message.to)
  return { message, fate, silent, waits: whyNotRung(bus, message.to, fate, silent) ?? null }
}

const STATES: Record<AttachedState, string> = {
  same: 'as it was sent',
  changed: 'has changed since',
  missing: 'is there no more',
  unreadable: 'cannot be read now',
}

/** What has become of the files that a message names. Only where there are some is what hashes them loaded. */
async function checkAttached(message: Message): Promise<Attached[]> {
  const attachments = attachmentsOf(message)
  if (attachments.length === 0) return []
  const { lookAtAttachments } = await import('../attach.ts')
  return lookAtAttachments(attachments)
}

/** A part of the body, between the lines of the message. */
function printLines(message: Message, range: Lines, json: boolean, ports: Pick<Ports, 'bus' | 'print'>): void {
  const { body, ...lines } = linesOf(message, range)
  const part = { ...message, body }
  const head = `lines ${lines.from} to ${lines.to} of ${lines.of}:\n`
  ports.print(
    json ? `${JSON.stringify({ ...messageJson(part), lines })}\n` : head + renderMessage(part, ports.bus().clock.now()),
  )
}

function silentText(silent: HeldMark | null): string {
  if (silent === null || ['resumed', 'awaited', 'urgent'].includes(silent.ring)) return ''
  if (silent.ring === 'quiet') return ` · does not ring: ${silent.why}`
  return ` · held: ${silent.why}; let it go on with: agent-chat resume ${silent.chain}`
}

function renderStage({ stage, at, doorbell, why, by }: Stage): string {
  const reason = why === undefined ? '' : `: ${why}`
  const more = `${doorbell === undefined ? '' : ` by the ${doorbell} doorbell`}${by === undefined ? '' : ` by ${by}`}${reason}`
  return `  ${stage.padEnd(9)} ${localTime(at)}${more}\n`
}
