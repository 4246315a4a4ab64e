import type { Command } from 'commander'
import type { RemoteRow } from '../../chat/remote/links.ts'
import { reviveWatcher } from '../../chat/revive.ts'
import { type SessionRow, sessionsNow } from '../../session/sessionRows.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { table } from '../render/table.ts'
import { ago, lasting } from '../render/time.ts'

export function whoCommand(program: Command, ports: Ports): void {
  addCommand(program, 'who', 'agent-chat who --json')
    .option('-a, --all', 'also those on linked machines, as these have told')
    .action(async (options: { json?: boolean; all?: boolean }) => {
      const remote = options.all
        ? { remote: (await import('../../chat/remote/links.ts')).remoteRows(ports.bus()) }
        : undefined
      if (options.json) {
        const { everyStatus } = await import('../../chat/status/status.ts')
        ports.print(`${JSON.stringify({ sessions: await everyStatus(ports), ...remote })}\n`)
      } else {
        const paint = await painter(ports, /\d+ held: .*$|not delivered yet: .*$/gm)
        const now = ports.bus().clock.now()
        ports.print(paint(renderWho(await sessionsNow(ports), now, remote?.remote)))
      }
      await reviveWatcher(ports)
    })
}

function renderWho(rows: SessionRow[], now: number, remote: RemoteRow[] = []): string {
  if (rows.length + remote.length === 0)
    return 'no sessions yet; start one with: agent-chat start backend\n'
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
      row.no_bell === undefined ? '' : `no bell: ${row.no_bell}`,
      row.pane !== null && !row.watcher ? 'no watcher' : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  const there = remote.map(({ name, host, state, up, seen }) => [
    ...[`@${name}`, '-', state, '-', '-'],
    up ? `on ${host}` : `on ${host}, last seen ${seen === null ? 'never' : ago(seen, now)}`,
  ])
  return table(['name', 'pane', 'state', 'unread', 'up', ''], [...lines, ...there])
}
