import type { Command } from 'commander'
import { record } from '../../bus/history.ts'
import { type Approval, changeLedger } from '../../gate/ledger.ts'
import { parseSessionName } from '../../message/name.ts'
import { invalidArgument } from '../argument.ts'
import { addCommand } from '../command.ts'
import { requireHuman } from '../human.ts'
import { whoAmI } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { plural } from '../render/text.ts'
import { localTime } from '../render/time.ts'
import { parseCount } from './inbox.ts'

export type ApproveOptions = { peer: string; count?: number; for?: number; name?: string; revoke?: boolean }
export type Approved = { name: string; peer: string; approval: Approval | null }

export function approveCommand(program: Command, ports: Ports, run = runApprove): void {
  addCommand(
    program,
    'approve',
    'let the next messages to or from a session pass without a dialog',
    'agent-chat approve @frontend\nagent-chat approve @frontend --count 3 --for 2h',
  )
    .argument('<peer>', 'the other session')
    .option('--count <n>', 'this many messages (1, or with --for: any number)', parseCount)
    .option('--for <time>', 'for so long: 30m, 2h, 1d', parseDuration)
    .option('--revoke', 'take an approval back')
    .option('--name <name>', 'whose approval it is, where nothing else tells')
    .action((peer: string, options: Omit<ApproveOptions, 'peer'> & { json?: boolean }) => {
      const approved = run({ ...options, peer }, ports)
      ports.print(options.json ? `${JSON.stringify(approved)}\n` : renderApproved(approved))
    })
}

/** What is approved now, in one line. */
export function renderApproved({ name, peer, approval }: Approved): string {
  const what = approval === null ? 'no longer approved beforehand' : `approved for ${describeApproval(approval)}`
  return `messages between @${name} and @${peer} are ${what}\n`
}

/** Approves messages beforehand, or takes that back. Throws `GATE_REFUSED` in a turn without the human's word. */
export function runApprove(options: ApproveOptions, ports: Pick<Ports, 'bus' | 'env' | 'say'>): Approved {
  const peer = parseSessionName(options.peer)
  const { name } = whoAmI(
    ports,
    options.name,
    'say whose approval it is with --name <name>; see the names with: agent-chat who',
  )
  if (!options.revoke) requireHuman('approve', ports)
  const bus = ports.bus()
  const now = bus.clock.now()
  const approval: Approval = {
    left: options.count ?? (options.for === undefined ? 1 : null),
    until: options.for === undefined ? null : new Date(now + options.for).toISOString(),
    at: new Date(now).toISOString(),
  }
  changeLedger(bus, name, (ledger) => {
    const others = Object.fromEntries(Object.entries(ledger.approvals).filter(([key]) => key !== peer))
    return { ...ledger, approvals: options.revoke ? others : { ...others, [peer]: approval } }
  })
  record(bus, options.revoke ? 'approval-revoked' : 'pre-approved', { name, peer, ...(options.revoke ? {} : approval) })
  return { name, peer, approval: options.revoke ? null : approval }
}

/** `3 more messages until 2026-11-21 05:39`. */
export function describeApproval({ left, until }: Approval): string {
  const count = left === null ? 'any number of messages' : plural(left, 'more message')
  return until === null ? count : `${count} until ${localTime(until)}`
}

/** A length of time such as `30m`, in milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,6})(s|m|h|d)$/.exec(text)
  const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match?.[2] ?? '']
  if (match && unit !== undefined && Number(match[1]) > 0) return Number(match[1]) * unit
  throw invalidArgument('It must be a time such as 30m, 2h or 1d.')
}
