import type { Command } from 'commander'
import { reviveWatcher } from '../../chat/revive.ts'
import { everyStatus } from '../../chat/status/status.ts'
import type { StatusRow } from '../../chat/status/statusRow.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { table } from '../render/table.ts'
import { lasting } from '../render/time.ts'

export function whoCommand(program: Command, ports: Ports): void {
  addCommand(program, 'who', 'agent-chat who --json').action(
    async (options: { json?: boolean }) => {
      const sessions = await everyStatus(ports)
      const paint = await painter(ports, /\d+ held: .*$|not delivered yet: .*$/gm)
      const text = () =>
        sessions.length === 0
          ? 'no sessions yet; start one with: agent-chat start backend\n'
          : renderWho(sessions, ports.bus().clock.now())
      ports.print(options.json ? `${JSON.stringify({ sessions })}\n` : paint(text()))
      await reviveWatcher(ports)
    },
  )
}

function renderWho(rows: StatusRow[], now: number): string {
  const lines = rows.map((row) => [
    `@${row.name}`,
    row.pane ?? '-',
    row.since === null ? row.state : `${row.state} for ${lasting(row.since, now)}`,
    String(row.unread),
    row.uptime_seconds === null || row.joined_at === null ? '-' : lasting(row.joined_at, now),
    [
      row.held === 0 ? '' : `${row.held} held: agent-chat gate`,
      row.waiting === null ? '' : `not delivered yet: ${row.waiting.why}`,
      row.pane !== null && !row.watcher ? 'no watcher' : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  return table(['name', 'pane', 'state', 'unread', 'up', ''], lines)
}
