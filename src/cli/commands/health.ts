import type { Command } from 'commander'
import { EXIT } from '../../chat/exit.ts'
import { healthOf } from '../../worker/supervise/health.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { healthTable } from '../render/worker.ts'

export function healthCommand(program: Command, ports: Ports): void {
  addCommand(program, 'health', 'agent-chat health --json').action(
    async ({ json }: { json?: boolean }) => {
      const health = healthOf(ports)
      const paint = await painter(ports, /^✗.*$/gm)
      const text = json
        ? `${JSON.stringify(health)}\n`
        : paint(healthTable(health, ports.bus().clock.now()))
      ports.print(text)
      if (!health.healthy) ports.setExitCode(EXIT.fault)
    },
  )
}
