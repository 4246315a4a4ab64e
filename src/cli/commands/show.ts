import type { Command } from 'commander'
import { readArchived, resolveId } from '../../bus/archive.ts'
import { type Fate, fateOf, type Stage } from '../../bus/fate.ts'
import type { Message } from '../../message/message.ts'
import { addCommand } from '../command.ts'
import { whoMaybe } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { messageJson, renderMessage } from '../render/message.ts'
import { localTime } from '../render/time.ts'

export type Shown = { message: Message; fate: Fate }

export function showCommand(program: Command, ports: Ports, run = runShow): void {
  addCommand(program, 'show', 'one message, with what has become of it', 'agent-chat show 20261121T033912')
    .argument('<id>', 'the id of a message, or any part that only one id has')
    .action((part: string, options: { json?: boolean }) => {
      const { message, fate } = run(part, ports)
      if (options.json) return ports.print(`${JSON.stringify({ ...messageJson(message), ...fate })}\n`)
      ports.print(`to @${message.to} · ${fate.place}\n${fate.stages.map(renderStage).join('')}`)
      ports.print(renderMessage(message, ports.bus().clock.now()))
    })
}

/** One message and its fate. It is neither marked as read nor moved. */
export function runShow(part: string, ports: Pick<Ports, 'bus' | 'env'>): Shown {
  const { home } = ports.bus()
  const me = whoMaybe(ports)?.name
  const message = readArchived(home, resolveId(home, part, me), me)
  return { message, fate: fateOf(home, message.id, message.to) }
}

function renderStage({ stage, at, doorbell }: Stage): string {
  return `  ${stage.padEnd(9)} ${localTime(at)}${doorbell === undefined ? '' : ` by the ${doorbell} doorbell`}\n`
}
