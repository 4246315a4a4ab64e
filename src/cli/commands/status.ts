import type { Command } from 'commander'
import { reviveWatcher } from '../../chat/revive.ts'
import { statusOf } from '../../chat/status/status.ts'
import { hostOf } from '../../message/address.ts'
import { parseAddress } from '../../message/name.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { renderStatus } from '../render/status.ts'
import { ago } from '../render/time.ts'

export function statusCommand(program: Command, ports: Ports): void {
  addCommand(program, 'status', 'agent-chat status\nagent-chat status @backend --json')
    .argument('[name]', 'a session, or human (default: this session; outside a session, all)')
    .action((name: string | undefined, options: { json?: boolean }) =>
      printStatus(name, options, ports),
    )
}

/** Prints what one session does, or all; also one on a linked machine, as that has told. */
export async function printStatus(
  name: string | undefined,
  options: { json?: boolean },
  ports: Ports,
): Promise<void> {
  if (name !== undefined && hostOf(name) !== undefined) {
    const { remoteStatus } = await import('../../chat/remote/links.ts')
    const row = remoteStatus(ports.bus(), parseAddress(name))
    const seen = row.seen === null ? 'never' : ago(row.seen, ports.bus().clock.now())
    const text = `@${row.name} is ${row.state === 'unknown' ? 'in an unknown state' : row.state} on ${row.host}, last seen ${seen}; ${plural(row.queued, 'message')} queued for ${row.host}\n`
    return ports.print(options.json ? `${JSON.stringify({ sessions: [row] })}\n` : text)
  }
  const sessions = await statusOf(name, ports)
  const paint = await painter(ports, /^ {2}question .*$|asking its user.*$|\d+ held: .*$/gm)
  ports.print(
    options.json
      ? `${JSON.stringify({ sessions })}\n`
      : paint(renderStatus(sessions, ports.bus().clock.now())),
  )
  await reviveWatcher(ports)
}
