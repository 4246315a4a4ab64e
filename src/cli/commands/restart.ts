import type { Command } from 'commander'
import { EXIT } from '../../chat/exit.ts'
import { restart } from '../../worker/supervise/control.ts'
import { usable } from '../../worker/supervise/definitions.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { startedLine } from '../render/worker.ts'

export function restartCommand(program: Command, ports: Ports): void {
  addCommand(program, 'restart', 'agent-chat restart coder')
    .argument('<worker>', 'the worker')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const started = await restart(name, usable(ports))
      ports.print(json ? `${JSON.stringify(started)}\n` : startedLine(started))
      if (started.state === 'failed' || started.state === 'late') ports.setExitCode(EXIT.fault)
    })
}
