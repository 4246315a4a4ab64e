import type { Command } from 'commander'
import { reviveWatcher } from '../../chat/revive.ts'
import { statusOf } from '../../chat/status/status.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { renderStatus } from '../render/status.ts'

export function statusCommand(program: Command, ports: Ports): void {
  addCommand(program, 'status', 'agent-chat status\nagent-chat status @backend --json')
    .argument('[name]', 'a session, or human (default: this session; outside a session, all)')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const sessions = await statusOf(name, ports)
      const paint = await painter(ports, /^ {2}question .*$|asking its user.*$|\d+ held: .*$/gm)
      ports.print(
        options.json
          ? `${JSON.stringify({ sessions })}\n`
          : paint(renderStatus(sessions, ports.bus().clock.now())),
      )
      await reviveWatcher(ports)
    })
}
