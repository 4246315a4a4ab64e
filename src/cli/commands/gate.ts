import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { findSession, readSessions } from '../../bus/registry.ts'
import { causesOf, sendersOf } from '../../gate/cause.ts'
import { allHeld, type Held } from '../../gate/held.ts'
import { type Approval, approvalFor, readLedger, recentlySent } from '../../gate/ledger.ts'
import { parseMode } from '../../gate/mode.ts'
import { MAX_RECENT, type Mode } from '../../gate/rules.ts'
import { turnOf } from '../../gate/turn.ts'
import { parseName } from '../../message/name.ts'
import { believedState } from '../../session/stateFile.ts'
import type { Turn } from '../../session/turn.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { unknownSession } from '../recipient.ts'
import { type Approved, describeApproval, renderApproved, runApprove } from './approve.ts'

/** What is open and what is closed for one session, and why. */
export type GateRow = {
  name: string
  mode: Mode
  gate: 'open' | 'closed' | 'unknown'
  why: string
  approvals: Record<string, Approval>
  questions: Record<string, { id: string; at: string }>
  sent: number
}

export type GateView = { paused: boolean; sessions: GateRow[]; held: Held[] }

export function gateCommand(program: Command, ports: Ports, run = runGate): void {
  addCommand(
    program,
    'gate',
    'what the guardrails let pass now, and why',
    'agent-chat gate backend\nagent-chat gate --revoke @frontend',
  )
    .argument('[name]', 'one session; all of them by default')
    .option('--revoke <peer>', 'take back what was approved beforehand for messages to or from this session')
    .action((name: string | undefined, options: { json?: boolean; revoke?: string }) => {
      if (options.revoke !== undefined) return printRevoked(revoke(name, options.revoke, ports), options, ports)
      const view = run(name === undefined ? undefined : parseName(name), ports)
      ports.print(options.json ? `${JSON.stringify(view)}\n` : renderGate(view))
    })
}

function revoke(name: string | undefined, peer: string, ports: Ports): Approved {
  return runApprove({ peer, revoke: true, ...(name === undefined ? {} : { name }) }, ports)
}

function printRevoked(approved: Approved, options: { json?: boolean }, ports: Ports): void {
  ports.print(options.json ? `${JSON.stringify(approved)}\n` : renderApproved(approved))
}

/** The gate as it stands. Throws `SESSION_UNKNOWN`. */
export function runGate(name: string | undefined, ports: Pick<Ports, 'bus' | 'env'>): GateView {
  const bus = ports.bus()
  const sessions = readSessions(bus.home)
  if (name !== undefined && !findSession(sessions, name)) throw unknownSession(name, Object.keys(sessions))
  const names = name === undefined ? Object.keys(sessions).sort() : [name]
  const held = allHeld(bus).filter(({ to }) => name === undefined || to === name)
  return { paused: existsSync(bus.home.paused), sessions: names.map((one) => rowOf(one, ports)), held }
}

function rowOf(name: string, ports: Pick<Ports, 'bus' | 'env'>): GateRow {
  const bus = ports.bus()
  const now = bus.clock.now()
  const state = believedState(bus.home, name, bus.processes)
  const ledger = readLedger(bus.home, name)
  const mode = parseMode(state?.gate ?? ports.env.AGENT_CHAT_GATE)
  const approvals = Object.entries(ledger.approvals).filter(([peer]) => approvalFor(ledger, peer, now))
  const gate = mode === 'off' ? 'open' : turnOf(state?.turn)
  const why =
    mode === 'off' ? 'AGENT_CHAT_GATE is off' : reason(state?.turn, sendersOf(causesOf(bus, name, state?.turn)))
  const sent = recentlySent(ledger, now).length
  return { name, mode, gate, why, approvals: Object.fromEntries(approvals), questions: ledger.questions, sent }
}

function reason(turn: Turn | undefined, causes: string): string {
  if (turn === undefined) return 'nothing tells whose turn it is'
  if (turn.began === 'human') return 'the turn is the human’s own'
  const message = causes === '' ? 'a message' : `a message from ${causes}`
  const began = turn.began === 'doorbell' ? `${message} began the turn` : 'no human began the turn'
  if (turn.opened === 'prompt') return `${began}, and the human has spoken in it`
  if (turn.opened === 'approval') return `${began}, and the human has let it go on`
  const asked = turn.asked === null ? '' : '; the human was asked and has not agreed'
  return `${began}, and the human has no word in it${asked}`
}

function renderGate(view: GateView): string {
  const lines = view.sessions.flatMap((row) => [
    `@${row.name}  ${row.gate}: ${row.why}${row.mode === 'enforce' ? '' : ` (${row.mode})`}`,
    ...Object.entries(row.approvals).map(
      ([peer, approval]) => `  approved beforehand: @${peer}, ${describeApproval(approval)}`,
    ),
    // One that is being sent has no id yet.
    ...Object.entries(row.questions).flatMap(([peer, { id }]) =>
      id === '' ? [] : [`  question to @${peer} waits for its answer: ${id}`],
    ),
    ...(row.sent > MAX_RECENT / 2
      ? [`  ${row.sent} messages in the last 10 minutes; more than ${MAX_RECENT} do not ring`]
      : []),
  ])
  const held = view.held.flatMap(({ id, to, chain, why }) => [
    `held: ${id} to @${to}: ${why}`,
    `  let it go on with: agent-chat resume ${chain}`,
  ])
  const paused = view.paused ? ['every doorbell is paused: agent-chat resume --all'] : []
  const all = [...paused, ...lines, ...held]
  return all.length === 0 ? 'no sessions: start one with: agent-chat <name>\n' : `${all.join('\n')}\n`
}
