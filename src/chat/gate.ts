import { existsSync } from 'node:fs'
import { answersTo } from '../bus/index/threads.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { parseName } from '../message/name.ts'
import { believedState } from '../session/stateFile.ts'
import { type Grade, openness, type Turn } from '../session/turn.ts'
import { causesOf, sendersText } from '../trust/sendGate/cause.ts'
import { allHeld, type Held } from '../trust/sendGate/held.ts'
import { type Approval, approvalFor, readLedger, recentlySent } from '../trust/sendGate/ledger.ts'
import { type Mode, parseMode } from '../trust/sendGate/rules.ts'
import { likeOf } from '../trust/toolGate/grade.ts'
import { whoMaybe } from './identity.ts'
import type { Ports } from './ports.ts'
import { unknownSession } from './recipient.ts'

/** What is open and what is closed for one session, and why. */
type GateRow = {
  name: string
  mode: Mode
  gate: 'open' | 'closed' | 'unknown'
  why: string
  approvals: Record<string, Approval>
  /** `answered`: there is an answer, which the session has not read yet. */
  questions: Record<string, { id: string; at: string; answered: boolean }>
  sent: number
}

export type GateView = { paused: boolean; sessions: GateRow[]; held: Held[] }

/** The gate for one session, or for all of them. Throws `SESSION_UNKNOWN`. */
export function gateView(
  argument: string | undefined,
  ports: Pick<Ports, 'bus' | 'env'>,
): GateView {
  const bus = ports.bus()
  const name = argument === undefined ? undefined : parseName(argument)
  const sessions = readSessions(bus.home)
  if (name !== undefined && !findSession(sessions, name))
    throw unknownSession(name, Object.keys(sessions))
  const names = name === undefined ? Object.keys(sessions).sort() : [name]
  const held = allHeld(bus).filter(({ to }) => name === undefined || to === name)
  return {
    paused: existsSync(bus.home.paused),
    sessions: names.map((one) => rowOf(one, ports)),
    held,
  }
}

function rowOf(name: string, ports: Pick<Ports, 'bus' | 'env'>): GateRow {
  const bus = ports.bus()
  const now = bus.clock.now()
  const state = believedState(bus.home, name, bus.processes)
  const ledger = readLedger(bus.home, name)
  const mode = parseMode(
    state?.gate ?? (whoMaybe(ports)?.name === name ? ports.env.AGENT_CHAT_GATE : undefined),
  )
  const approvals = Object.entries(ledger.approvals).filter(([peer]) =>
    approvalFor(ledger, peer, now),
  )
  const gate = mode === 'off' ? 'open' : openness(state?.turn)
  const why =
    mode === 'off'
      ? 'AGENT_CHAT_GATE is off'
      : reason(state?.turn, sendersText(causesOf(bus, name, state?.turn)))
  const questions = Object.entries(ledger.questions).map(([peer, question]) => {
    const message = messageAt(bus.home.message(question.id), question.id, bus.home)
    const answered = message !== undefined && answersTo(bus.home, message, peer).length > 0
    return [peer, { ...question, answered }] as const
  })
  const sent = recentlySent(ledger, now).length
  return {
    name,
    mode,
    gate,
    why,
    approvals: Object.fromEntries(approvals),
    questions: Object.fromEntries(questions),
    sent,
  }
}

function reason(turn: Turn | undefined, causes: string): string {
  if (turn === undefined) return 'nothing shows who started this turn'
  if (turn.began === 'human') return 'you started this turn'
  const message = causes === '' ? 'a message' : `a message from ${causes}`
  const began =
    turn.began === 'doorbell'
      ? `this turn was started by ${message}`
      : 'this turn was not started by you'
  if (turn.opened === 'prompt') return `${began}; you have typed since`
  if (turn.opened === 'message') return 'a message of your own started this turn'
  if (turn.granted !== undefined) return `${began}; you allowed ${allowed(turn.granted)}`
  const asked = turn.asked.length === 0 ? '' : '; you were asked and did not say yes'
  return `${began}; you have not typed anything since${asked}`
}

/** The yeses of a turn, in words. */
function allowed(granted: Grade[]): string {
  if (granted.includes('all')) return 'everything else in it'
  if (granted.includes('commands')) return 'commands and edits'
  return granted.map(likeOf).join(' and ')
}
