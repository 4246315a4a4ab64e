import type { Command } from 'commander'
import { EXIT } from '../../chat/exit.ts'
import { requireHuman } from '../../chat/human.ts'
import { supervisorOf } from '../../session/workers.ts'
import { type Started, up } from '../../worker/supervise/control.ts'
import { usable } from '../../worker/supervise/definitions.ts'
import { superviseHere } from '../../worker/supervise/foreground.ts'
import { unitText } from '../../worker/supervise/unit.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { startedLine } from '../render/worker.ts'

type Flags = { foreground?: boolean; quiet?: boolean; unit?: boolean; json?: boolean }

export function upCommand(program: Command, ports: Ports): void {
  addCommand(program, 'up', 'agent-chat up\nagent-chat up coder researcher')
    .argument('[names...]', 'the workers (default: those with auto_start)')
    .option('--detach', 'supervise in the background (the default)')
    .option('--foreground', 'supervise in this terminal')
    .option('--unit', 'print a systemd unit that does this')
    .addOption(program.createOption('--quiet', 'only supervise, and say nothing').hideHelp())
    .action(async (names: string[], { foreground, quiet, unit, json }: Flags) => {
      if (unit) return ports.print(unitText(ports))
      if (foreground) {
        requireHuman('up', ports)
        const tell = quiet ? () => {} : (text: string) => ports.print(`${text}\n`)
        return superviseHere(quiet ? undefined : names, { ...ports, tell })
      }
      const tell = (started: Started) => {
        if (!json) ports.print(startedLine(started))
      }
      const workers = await up(names, usable(ports), tell)
      const supervisor = supervisorOf(ports.bus())?.pid ?? null
      if (json) ports.print(`${JSON.stringify({ supervisor, workers })}\n`)
      else if (workers.length === 0)
        ports.print(
          `no agent starts by itself; the supervisor waits for messages (pid ${supervisor})\n`,
        )
      if (workers.some(({ state }) => state === 'failed' || state === 'late'))
        ports.setExitCode(EXIT.fault)
    })
}
