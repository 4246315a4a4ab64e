import type { Command } from 'commander'
import { addCommand } from '../command.ts'
import { parsePort } from '../options/argument.ts'
import type { Ports } from '../ports.ts'

type Flags = { port?: number; open?: boolean; detach?: boolean; stop?: boolean; json?: boolean }

export function webCommand(program: Command, ports: Ports): void {
  addCommand(program, 'web', 'agent-chat web\nagent-chat web --open\nagent-chat web --detach')
    .option('--port <number>', 'the port on this machine (default: 4747, or the next)', parsePort)
    .option('--open', 'open it in your browser')
    .option('--detach', 'serve it in the background')
    .option('--stop', 'end it')
    .action(async (flags: Flags) => {
      const { openWeb } = await import('../../web/web.ts')
      // Loaded when there is a worker to show.
      await openWeb(flags, { ...ports, workers: () => import('../../worker/page.ts') })
    })
}
