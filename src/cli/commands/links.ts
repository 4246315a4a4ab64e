import type { Command } from 'commander'
import { requireHuman } from '../../chat/human.ts'
import { type LinkRow, linkRows, unlink } from '../../chat/remote/links.ts'
import { parseHost } from '../../message/address.ts'
import { visibleLine } from '../../message/visible.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'
import { ago, lasting } from '../render/time.ts'

export function linksCommand(program: Command, ports: Ports): void {
  addCommand(program, 'links', 'agent-chat links').action((options: { json?: boolean }) => {
    const rows = linkRows(ports.bus())
    ports.print(
      options.json
        ? `${JSON.stringify({ links: rows })}\n`
        : renderLinks(rows, ports.bus().clock.now()),
    )
  })
}

export function unlinkCommand(program: Command, ports: Ports): void {
  addCommand(program, 'unlink', 'agent-chat unlink build')
    .argument('<host>', 'the name of a linked machine', parseHost)
    .option('--force', 'also when messages are queued for it: they wait until it is linked again')
    .action((host: string, options: { force?: boolean; json?: boolean }) => {
      requireHuman('unlink', ports)
      const { dial, team } = unlink(ports.bus(), host, options.force === true)
      if (options.json) return ports.print(`${JSON.stringify({ unlinked: host })}\n`)
      ports.print(`unlinked ${host}\n`)
      if (team !== undefined)
        ports.notice(
          `to shut it out of team ${team}, its admin types: agent-chat bridge revoke ${host}`,
        )
      else if (dial === undefined)
        ports.notice('if it dialled this machine, remove its key from ~/.ssh/authorized_keys too')
    })
}

function renderLinks(rows: LinkRow[], now: number): string {
  if (rows.length === 0)
    return 'no machine is linked; link one with: agent-chat link user@host --peer name\n'
  const lines = rows.map((row) => [
    row.host,
    row.up ? 'up' : row.pid === null ? 'down' : 'dialling',
    row.seen === null ? 'never' : row.up ? 'now' : ago(row.seen, now),
    row.oldest === null ? '0' : `${row.queued} (oldest ${lasting(row.oldest, now)})`,
    String(row.sessions.length),
    visibleLine(row.address ?? (row.team === null ? 'it dials' : `team ${row.team}`)),
    [
      row.refused === 0 ? '' : `${row.refused} refused`,
      row.bad === 0 ? '' : `${row.bad} bad`,
      Math.abs(row.skew_ms) > 5000 ? `clock ${Math.round(row.skew_ms / 1000)} s off` : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  return table(['machine', 'link', 'seen', 'queued', 'sessions', 'address', ''], lines)
}
