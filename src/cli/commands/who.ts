import type { Command } from 'commander'
import { reviveWatcher } from '../../chat/revive.ts'
import { type SessionRow, sessionsNow } from '../../session/sessionRows.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'
import { ago } from '../render/time.ts'

export function whoCommand(program: Command, ports: Ports): void {
  addCommand(program, 'who', 'agent-chat who --json').action(
    async (options: { json?: boolean }) => {
      const sessions = await sessionsNow(ports)
      const text = () =>
        sessions.length === 0
          ? 'no sessions yet; start one with: agent-chat start backend\n'
          : renderWho(sessions, ports.bus().clock.now())
      ports.print(options.json ? `${JSON.stringify({ sessions })}\n` : text())
      await reviveWatcher(ports)
    },
  )
}

function renderWho(rows: SessionRow[], now: number): string {
  const lines = rows.map((row) => [
    `@${row.name}`,
    row.pane ?? '-',
    row.state,
    String(row.unread),
    ago(row.joined_at, now),
    row.alive,
    [
      row.held === 0 ? '' : `${row.held} held: agent-chat gate`,
      row.waiting === null ? '' : `waiting to ring: ${row.waiting.why}`,
      row.pane !== null && !row.watcher ? 'no watcher' : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  return table(['name', 'pane', 'state', 'unread', 'joined', 'alive', ''], lines)
}
