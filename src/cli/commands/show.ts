import type { Command } from 'commander'
import { readArchived, resolveId } from '../../bus/archive.ts'
import { type Fate, fateOf, type Stage } from '../../bus/fate.ts'
import { type HeldMark, markOf } from '../../bus/held.ts'
import type { Message } from '../../message/message.ts'
import { addCommand } from '../command.ts'
import { whoMaybe } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { messageJson, renderMessage } from '../render/message.ts'
import { localTime } from '../render/time.ts'

/** `silent`: why it does not ring, while it is unread. */
export type Shown = { message: Message; fate: Fate; silent: HeldMark | null }

export function showCommand(program: Command, ports: Ports, run = runShow): void {
  addCommand(program, 'show', 'one message, with what has become of it', 'agent-chat show 20261121T033912')
    .argument('<id>', 'the id of a message, or any part that only one id has')
    .action((part: string, options: { json?: boolean }) => {
      const { message, fate, silent } = run(part, ports)
      if (options.json) return ports.print(`${JSON.stringify({ ...messageJson(message), ...fate, silent })}\n`)
      ports.print(`to @${message.to} · ${fate.place}${silentText(silent)}\n${fate.stages.map(renderStage).join('')}`)
      ports.print(renderMessage(message, ports.bus().clock.now()))
    })
}

/** One message and its fate. It is neither marked as read nor moved. */
export function runShow(part: string, ports: Pick<Ports, 'bus' | 'env'>): Shown {
  const { home } = ports.bus()
  const me = whoMaybe(ports)?.name
  const message = readArchived(home, resolveId(home, part, me), me)
  const silent = markOf(home, message.to, message.id) ?? null
  return { message, fate: fateOf(home, message.id, message.to), silent }
}

function silentText(silent: HeldMark | null): string {
  if (silent === null || silent.ring === 'resumed' || silent.ring === 'awaited') return ''
  if (silent.ring === 'quiet') return ` · does not ring: ${silent.why}`
  return ` · held: ${silent.why}; let it go on with: agent-chat resume ${silent.chain}`
}

function renderStage({ stage, at, doorbell, why, by }: Stage): string {
  const reason = why === undefined ? '' : `: ${why}`
  const more = `${doorbell === undefined ? '' : ` by the ${doorbell} doorbell`}${by === undefined ? '' : ` by ${by}`}${reason}`
  return `  ${stage.padEnd(9)} ${localTime(at)}${more}\n`
}
