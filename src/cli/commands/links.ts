import type { Command } from 'commander'
import { requireHuman } from '../../chat/human.ts'
import { allow, type LinkRow, linkRows, unlink } from '../../chat/remote/links.ts'
import { CodedError } from '../../errors.ts'
import type { LinkNews, LinkRequest } from '../../link/dial.ts'
import { repeatOf } from '../../link/repeat.ts'
import { linkUnit } from '../../link/unit.ts'
import { parseHost } from '../../message/address.ts'
import { quote } from '../../message/name.ts'
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
      const { peer, still } = unlink(ports.bus(), host, options.force === true)
      const { dial, team } = peer
      if (still !== undefined)
        ports.notice(`${host} is still connected, and refused; to end that: kill ${still}`)
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

type Flags = Omit<LinkRequest, 'target' | 'ssh'> & {
  stdio?: boolean
  unit?: boolean
  allow?: string
  json?: boolean
}

const MORE = `
agent-chat has to be on both machines, and ssh has to reach the other one without a password. The link
runs in this terminal and dials again when the way breaks. Arguments after -- are passed to ssh.
docs/machines.md tells more.`

export function linkCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'link',
    'agent-chat link me@build.example.com --as laptop --peer build\nagent-chat link build            # again, later\nagent-chat link build -- -p 2222',
  )
    .argument('[target]', 'user@host as ssh has it, or the name of a linked machine')
    .argument('[ssh...]', 'further arguments of ssh, after --')
    .option('--as <machine>', 'what this machine is called (default: its host name)', parseHost)
    .option('--peer <host>', 'what the other machine is called (default: what it says)', parseHost)
    .option('--once', 'deliver what is queued on both sides, and end')
    .option('--there <path>', 'where agent-chat is on the other machine (default: its PATH)')
    .option('--unit', 'print a systemd unit that keeps this link')
    .option('--allow <host>', 'let a machine that was unlinked link again', parseHost)
    .addOption(program.createOption('--stdio', 'be the other end, for ssh').hideHelp())
    .addHelpText('after', MORE)
    .action(async (target: string | undefined, ssh: string[], flags: Flags) => {
      if (flags.stdio) return (await import('../../link/stdio.ts')).runStdio(flags.peer, ports)
      if (flags.allow !== undefined) {
        requireHuman('link --allow', ports)
        const { dial } = allow(ports.bus(), flags.allow)
        const next = dial ? `; to dial it: agent-chat link ${flags.allow}` : ''
        return ports.print(
          flags.json ? '{"allowed":true}\n' : `${flags.allow} may link again${next}\n`,
        )
      }
      if (target === undefined)
        throw new CodedError('USAGE', 'which machine?', {
          hint: 'agent-chat link me@build.example.com --peer build; see the links with: agent-chat links',
        })
      const [word] = ssh
      if (word !== undefined && !word.startsWith('-'))
        throw new CodedError('USAGE', `${quote(word)} is not an option of ssh`, {
          hint: `options of ssh go after --: agent-chat link ${target} -- -p 2222`,
        })
      const request = { ...flags, target: target.replace(/^@/, ''), ssh }
      requireHuman('link', ports, [repeatOf(request, ports.bus())])
      if (flags.unit) return ports.print(linkUnit(request, ports))
      const { runLink } = await import('../../link/dial.ts')
      await runLink(request, { ...ports, tell: (news) => tell(news, flags.json === true, ports) })
      if (flags.once && !flags.json) ports.print('all is delivered\n')
    })
}

function tell(news: LinkNews, json: boolean, ports: Ports): void {
  if (json) ports.print(`${JSON.stringify(news)}\n`)
  else if (news.is === 'up') ports.print(`linked with ${news.host}\n`)
  else ports.notice(`the link is down: ${visibleLine(news.why)}`)
}
