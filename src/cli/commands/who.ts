import type { Command } from 'commander'
import { readSessions } from '../../bus/registry.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'
import { ago } from '../render/time.ts'
import { type SessionRow, sessionRows } from '../sessionRows.ts'

export function whoCommand(program: Command, ports: Ports, run = runWho): void {
  addCommand(
    program,
    'who',
    'the sessions: name, pane, state, unread, joined, alive or not',
    'agent-chat who --json',
  ).action(async (options: { json?: boolean }) => {
    const sessions = await run(ports)
    if (options.json) return ports.print(`${JSON.stringify({ sessions })}\n`)
    ports.print(
      sessions.length === 0
        ? 'no sessions: start one with: agent-chat <name>\n'
        : renderWho(sessions, ports.bus().clock.now()),
    )
  })
}

/** Every registered session, in the order of names. */
export async function runWho(ports: Pick<Ports, 'bus' | 'tmux'>): Promise<SessionRow[]> {
  return sessionRows(Object.values(readSessions(ports.bus().home)), ports)
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
