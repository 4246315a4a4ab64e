import type { Command } from 'commander'
import { statsJson, statsOf } from '../../chat/stats.ts'
import { terminalColumns } from '../../system/terminal.ts'
import { addCommand } from '../command.ts'
import { parseAge } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { renderStats } from '../render/stats.ts'

/** Where standard output is no terminal. */
const COLUMNS = 80

export function statsCommand(program: Command, ports: Ports): void {
  addCommand(program, 'stats', 'agent-chat stats --since 7d\nagent-chat stats --json')
    .option('--since <age>', 'only messages of this age or newer: 30m, 12h, 2d, 4w', parseAge)
    .action(async ({ since, json }: { since?: number; json?: boolean }) => {
      const { home, clock } = ports.bus()
      const now = clock.now()
      const stats = statsOf(home, since === undefined ? undefined : now - since, now)
      if (json) return ports.print(`${JSON.stringify(statsJson(stats))}\n`)
      ports.print(renderStats(stats, (await terminalColumns()) ?? COLUMNS))
    })
}
