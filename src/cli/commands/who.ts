import type { Command } from 'commander'
import { reviveWatcher } from '../../chat/revive.ts'
import { everyStatus } from '../../chat/status/status.ts'
import { type SessionRow, sessionsNow } from '../../session/sessionRows.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { table } from '../render/table.ts'
import { lasting } from '../render/time.ts'

export function whoCommand(program: Command, ports: Ports): void {
  addCommand(program, 'who', 'agent-chat who --json').action(
    async (options: { json?: boolean }) => {
      if (options.json) ports.print(`${JSON.stringify({ sessions: await everyStatus(ports) })}\n`)
      else {
        const paint = await painter(ports, /\d+ held: .*$|not delivered yet: .*$/gm)
        ports.print(paint(renderWho(await sessionsNow(ports), ports.bus().clock.now())))
      }
      await reviveWatcher(ports)
    },
  )
}

function renderWho(rows: SessionRow[], now: number): string {
  if (rows.length === 0) return 'no sessions yet; start one with: agent-chat start backend\n'
  const lines = rows.map((row) => [
    `@${row.name}`,
    row.pane ?? '-',
    row.since === null ? row.state : `${row.state} for ${lasting(row.since, now)}`,
    String(row.unread),
    row.alive === 'alive' && Date.parse(row.joined_at) > 0 ? lasting(row.joined_at, now) : '-',
    [
      row.worker === undefined ? '' : `worker${row.worker.reason ? `: ${row.worker.reason}` : ''}`,
      row.held === 0 ? '' : `${row.held} held: agent-chat gate`,
      row.waiting === null ? '' : `not delivered yet: ${row.waiting.why}`,
      row.pane !== null && !row.watcher ? 'no watcher' : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  return table(['name', 'pane', 'state', 'unread', 'up', ''], lines)
}
