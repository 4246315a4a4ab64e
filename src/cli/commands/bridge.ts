import { resolve } from 'node:path'
import type { Command } from 'commander'
import { noteStarted, requireHuman } from '../../chat/human.ts'
import { CodedError } from '../../errors.ts'
import type { BridgeStatus } from '../../link/nats/bridge.ts'
import type { BridgeNews } from '../../link/nats/lanes.ts'
import { parseHost } from '../../message/address.ts'
import { visibleLine } from '../../message/visible.ts'
import { readJson } from '../../system/json.ts'
import type { Repeat } from '../../trust/human/repeats.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'
import { ago } from '../render/time.ts'

type Flags = { server?: string; team?: string; json?: boolean }

const MORE = `
init            make the files of a team's server here; again: what the server lacks
invite <host>   let a machine into the team: prints the file that it joins with
join <file>     join a team, as the machine that the invitation is for
run             carry messages until it is ended
status          show the machines of the team and the server
revoke <host>   shut a machine out
nats-server 2.9 or newer is yours to install and run. docs/machines.md tells more.`

export function bridgeCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'bridge',
    'agent-chat bridge init --server nats.example.com\nagent-chat bridge invite build\nagent-chat bridge join build.invitation\nagent-chat bridge run',
  )
    .argument('<action>', 'init, invite, join, run, status or revoke')
    .argument('[what]', 'a machine, or the file of an invitation')
    .option('--server <address>', 'with init: the name or address that machines will reach')
    .option('--team <name>', 'with init: what the team is called (default: team)', parseHost)
    .addHelpText('after', MORE)
    .action(async (action: string, what: string | undefined, flags: Flags) => {
      if (action === 'run') requireHuman('bridge run', ports, [membership(ports)])
      else if (action !== 'status') requireHuman('bridge', ports)
      const json = flags.json === true
      if (Object.hasOwn(ACTIONS, action)) return ACTIONS[action]?.(what, { ...flags, json }, ports)
      throw new CodedError('USAGE', `bridge has no action ${visibleLine(action)}`, {
        hint: 'use one of: init, invite, join, run, status, revoke',
      })
    })
}

const NOT_RELOADED =
  'the server does not know it yet: copy users.conf to it, and there: nats-server --signal reload'

/** The bridge, as what may be run again while this machine is in the same team. */
function membership({ bus }: Pick<Ports, 'bus'>): Repeat {
  return { what: 'bridge', definition: readJson(bus().home.bridgeTicket) ?? null }
}

type Action = (what: string | undefined, flags: Flags, ports: Ports) => Promise<void>

const ACTIONS: Record<string, Action> = {
  init: async (_, flags, ports) => {
    const { init } = (await import('../../link/nats/entry.ts')).nats
    const made = await init(flags, ports.bus())
    const text = made.ready
      ? `team ${made.team}: the server has all that it needs\n`
      : `made team ${made.team}\nstart its server: GOGC=50 nats-server -c ${made.conf}\nthen: agent-chat bridge invite <host>\n`
    ports.print(flags.json ? `${JSON.stringify(made)}\n` : text)
  },
  invite: async (what, { json }, ports) => {
    const { invite } = (await import('../../link/nats/entry.ts')).nats
    const host = hostIn(what, 'invite')
    const { file, reloaded } = await invite(host, ports.bus())
    if (json) ports.print(`${JSON.stringify({ host, file, reloaded })}\n`)
    else
      ports.print(
        `${file}\nbring it to ${host} by a way that you trust: whoever has it is ${host}\nthere: agent-chat bridge join ${host}.invitation && agent-chat bridge run\n`,
      )
    if (!reloaded) ports.notice(NOT_RELOADED)
  },
  join: async (what, { json }, ports) => {
    const { join } = (await import('../../link/nats/entry.ts')).nats
    if (what === undefined)
      throw new CodedError('USAGE', 'which invitation?', {
        hint: 'agent-chat bridge join build.invitation',
      })
    const { team, host, server } = join(resolve(ports.cwd, what), ports.bus())
    noteStarted([membership(ports)], ports, true)
    if (json) ports.print(`${JSON.stringify({ team, host, server })}\n`)
    else ports.print(`joined team ${team} as ${host}; now: agent-chat bridge run\n`)
  },
  run: async (_, { json }, ports) => {
    const { runBridge } = (await import('../../link/nats/entry.ts')).nats
    await runBridge({ ...ports, tell: (news) => tell(news, json === true, ports) })
  },
  status: async (_, { json }, ports) => {
    const { statusOf } = (await import('../../link/nats/entry.ts')).nats
    const status = await statusOf(ports.bus())
    const now = ports.bus().clock.now()
    ports.print(json ? `${JSON.stringify(status)}\n` : renderStatus(status, now))
  },
  revoke: async (what, { json }, ports) => {
    const { revoke } = (await import('../../link/nats/entry.ts')).nats
    const host = hostIn(what, 'revoke')
    const { reloaded } = await revoke(host, ports.bus())
    ports.print(json ? `${JSON.stringify({ revoked: host, reloaded })}\n` : `revoked ${host}\n`)
    if (!reloaded) ports.notice(NOT_RELOADED)
  },
}

function hostIn(what: string | undefined, action: string): string {
  if (what !== undefined) return parseHost(what.replace(/^@/, ''))
  throw new CodedError('USAGE', 'which machine?', { hint: `agent-chat bridge ${action} build` })
}

function tell(news: BridgeNews, json: boolean, ports: Ports): void {
  if (json) ports.print(`${JSON.stringify(news)}\n`)
  else if (news.is === 'up') ports.print(`connected to ${visibleLine(news.server)}\n`)
  else ports.notice(`the bridge is down: ${visibleLine(news.why)}`)
}

function renderStatus({ team, server, host, pid, machines, admin }: BridgeStatus, now: number) {
  const head = [
    `team ${team} on ${visibleLine(server)}`,
    host === null ? 'this machine has not joined it' : `this machine is ${host}`,
    pid === null ? 'the bridge does not run here' : `the bridge runs (process ${pid})`,
    ...(admin === null ? [] : [`invited: ${admin.invited.join(', ') || 'nobody yet'}`]),
    ...(admin?.stream
      ? [`on the server: ${admin.stream.waiting} waiting, ${admin.stream.bytes} bytes`]
      : []),
    ...(admin?.why ? [visibleLine(admin.why)] : []),
  ].join('\n')
  const rows = machines.map((one) => [
    one.host,
    one.up ? 'up' : 'down',
    one.seen === null ? 'never' : one.up ? 'now' : ago(one.seen, now),
    String(one.queued),
  ])
  const shown = rows.length === 0 ? '' : table(['machine', 'bridge', 'seen', 'queued'], rows)
  return `${head}\n${shown}`
}
