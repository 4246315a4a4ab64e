import type { Command } from 'commander'
import { type Approved, approve, revokeApproval } from '../../chat/approve.ts'
import { type GateView, gateView } from '../../chat/gate.ts'
import { commandsIn, type Tried, tryGate } from '../../chat/tryGate.ts'
import { CodedError } from '../../errors.ts'
import { shortId } from '../../message/shortId.ts'
import { plural } from '../../message/text.ts'
import { localTime } from '../../system/zone.ts'
import type { Approval } from '../../trust/sendGate/ledger.ts'
import { MAX_RECENT } from '../../trust/sendGate/limits.ts'
import { addCommand } from '../command.ts'
import { parseCount, parseDuration } from '../options/argument.ts'
import { withSpeaker } from '../options/recipient.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'

/** More than one would want to have judged at once, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024

type Flags = { json?: boolean; revoke?: string; try?: string; decide?: boolean }

export function gateCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'gate',
    'agent-chat gate backend\nagent-chat gate backend --revoke @frontend\nagent-chat gate --try "git log | head"',
  )
    .argument('[name]', 'one session; all of them by default')
    .option('--revoke <peer>', 'take back the approval for messages to or from this session')
    .option(
      '--try <command>',
      'show whether a command would ask you first in a turn that a message started; - reads JSON strings, one a line',
    )
    .addOption(program.createOption('--decide').hideHelp())
    .action(async (name: string | undefined, flags: Flags) => {
      if (flags.decide) return printDecision(ports)
      const { json, revoke: peer, try: command } = flags
      if (command !== undefined) return printTried(name, command, flags, ports)
      const data =
        peer === undefined ? gateView(name, ports) : revokeApproval({ peer, name }, ports)
      const text = () => ('sessions' in data ? renderGate(data) : renderApproved(data))
      const paint = await painter(ports, /^held: .*$|^every doorbell .*$|closed(?=: )/gm)
      ports.print(json ? `${JSON.stringify(data)}\n` : paint(text()))
    })
}

/** For hooks alone: whether the human has allowed the call that standard input tells of. */
async function printDecision(ports: Ports): Promise<void> {
  const { decideOnce } = await import('../../worker/permission/decideOnce.ts')
  const decided = await decideOnce(JSON.parse(stdinOf(ports)), ports)
  ports.print(`${JSON.stringify(decided)}\n`)
}

function printTried(
  name: string | undefined,
  command: string,
  { json, revoke }: Flags,
  ports: Ports,
): void {
  if (name !== undefined || revoke !== undefined)
    throw new CodedError('USAGE', '--try takes one command and nothing else', {
      hint: 'put the command in quotes: agent-chat gate --try "git log | head"',
    })
  const many = command === '-'
  for (const tried of tryGate(many ? commandsIn(stdinOf(ports)) : [command], ports))
    ports.print(json || many ? `${JSON.stringify(tried)}\n` : renderTried(tried))
}

function stdinOf(ports: Pick<Ports, 'readStdin'>): string {
  const bytes = ports.readStdin(MOST_BYTES)
  if (bytes.length > MOST_BYTES)
    throw new CodedError('USAGE', 'standard input is longer than 64 MB', {
      hint: 'try fewer commands at once',
    })
  return bytes.toString('utf8')
}

/** One line: `own`, `reading`, or `asks` with the reason. */
function renderTried({ effect, why }: Tried): string {
  return effect === 'changing' ? `asks: ${why}\n` : `${effect}\n`
}

function renderGate(view: GateView): string {
  const lines = view.sessions.flatMap((row) => [
    `@${row.name}  ${row.gate}: ${row.why}${row.mode === 'enforce' ? '' : ` (${row.mode})`}`,
    ...Object.entries(row.approvals).map(
      ([peer, approval]) => `  approved beforehand: @${peer}, ${describeApproval(approval)}`,
    ),
    // One that is being sent has no id yet.
    ...Object.entries(row.questions).flatMap(([peer, { id, answered }]) =>
      id === ''
        ? []
        : [
            answered
              ? `  answered by @${peer}, not read yet: ${shortId(id)}`
              : `  waiting for the answer of @${peer}: ${shortId(id)}`,
          ],
    ),
    ...(row.sent > MAX_RECENT / 2
      ? [`  ${row.sent} messages in the last 10 minutes; more than ${MAX_RECENT} are held`]
      : []),
  ])
  const held = view.held.flatMap(({ id, to, chain, why }) => [
    `held: ${shortId(id)} to @${to}: ${why}`,
    `  release it with: agent-chat release ${shortId(chain)}`,
  ])
  const paused = view.paused ? ['every doorbell is paused: agent-chat unpause'] : []
  const all = [...paused, ...lines, ...held]
  return all.length === 0
    ? 'no sessions yet; start one with: agent-chat start backend\n'
    : `${all.join('\n')}\n`
}

type ApproveFlags = {
  count?: number
  for?: number
  name?: string
  revoke?: boolean
  json?: boolean
}

export function approveCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'approve',
    'agent-chat approve @frontend --as backend\nagent-chat approve @frontend --as backend -n 3 --for 2h',
  )
  withSpeaker(command, ports, 'name')
    .argument('<peer>', 'the other session')
    .option('-n, --count <n>', 'this many messages (1, or with --for: any number)', parseCount)
    .option('--for <time>', 'for so long: 30m, 2h, 1d', parseDuration)
    .option('--revoke', 'take an approval back')
    .action((peer: string, { count, for: forMs, name, revoke, json }: ApproveFlags) => {
      const approved = revoke
        ? revokeApproval({ peer, name }, ports)
        : approve({ peer, name, count, forMs }, ports)
      ports.print(json ? `${JSON.stringify(approved)}\n` : renderApproved(approved))
    })
}

/** What is approved now, in one line. */
function renderApproved({ name, peer, approval }: Approved): string {
  const what =
    approval === null
      ? 'no longer approved beforehand'
      : `approved for ${describeApproval(approval)}`
  return `messages between @${name} and @${peer} are ${what}\n`
}

/** `3 more messages until 2026-11-21 05:39`. */
function describeApproval({ left, until }: Approval): string {
  const count = left === null ? 'any number of messages' : plural(left, 'more message')
  return until === null ? count : `${count} until ${localTime(until)}`
}
