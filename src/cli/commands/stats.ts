import type { Command } from 'commander'
import { statsJson, statsOf } from '../../chat/stats.ts'
import { terminalColumns } from '../../system/terminal.ts'
import { costsOf } from '../../worker/costs/tally.ts'
import { addCommand } from '../command.ts'
import { parseDuration } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { renderCosts, renderStats } from '../render/stats.ts'

/** Where standard output is no terminal. */
const COLUMNS = 80

export function statsCommand(program: Command, ports: Ports): void {
  addCommand(program, 'stats', 'agent-chat stats --since 7d\nagent-chat stats --json')
    .option('--since <age>', 'only messages of this age or newer: 30m, 12h, 2d, 4w', parseDuration)
    .action(async ({ since, json }: { since?: number; json?: boolean }) => {
      const { home, clock } = ports.bus()
      const now = clock.now()
      const from = since === undefined ? undefined : now - since
      const stats = statsOf(home, from, now)
      const costs = costsOf(home, from)
      if (json) return ports.print(`${JSON.stringify({ ...statsJson(stats), costs })}\n`)
      const columns = (await terminalColumns()) ?? COLUMNS
      ports.print(`${renderStats(stats, columns)}${renderCosts(costs, columns)}`)
    })
}
