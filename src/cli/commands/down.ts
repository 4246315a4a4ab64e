import type { Command } from 'commander'
import { down } from '../../worker/supervise/control.ts'
import type { Ended } from '../../worker/supervise/end.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { endedLine } from '../render/worker.ts'

export function downCommand(program: Command, ports: Ports): void {
  addCommand(program, 'down', 'agent-chat down\nagent-chat down coder --now')
    .argument('[names...]', 'the workers (default: all, and the supervisor)')
    .option('--now', 'do not wait for the end of their turns')
    .action(async (names: string[], { now, json }: { now?: boolean; json?: boolean }) => {
      const tell = (ended: Ended) => {
        if (!json && (ended.ended !== 'before' || names.length > 0)) ports.print(endedLine(ended))
      }
      const { workers, supervisor } = await down(names, { now: now === true }, ports, tell)
      if (json) ports.print(`${JSON.stringify({ workers, supervisor })}\n`)
      else if (names.length === 0)
        ports.print(
          supervisor === null ? 'no supervisor was running\n' : 'the supervisor has ended\n',
        )
    })
}
