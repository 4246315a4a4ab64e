import { CodedError } from '../../errors.ts'
import { HUMAN } from '../../message/name.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Openness } from '../../session/turn.ts'
import { MAX_HOPS, MAX_RECENT } from './limits.ts'

/** The rules, by the names that refusals, the history and `agent-chat gate` use. */
export type Rule =
  | 'off'
  | 'human'
  | 'no hooks'
  | 'own turn'
  | 'pre-approval'
  | 'one question'
  | 'an answer'
  | 'to the human'
  | 'work gate'
  | 'human approval'
  | 'loops'
  | 'reading'
  | 'allowed'
  | 'own command'

/** `AGENT_CHAT_GATE`: refuse, only say so, or not look. */
export type Mode = 'enforce' | 'warn' | 'off'

/** `AGENT_CHAT_GATE`; anything but `warn` and `off` enforces. */
export function parseMode(input: string | undefined): Mode {
  return input === 'warn' || input === 'off' ? input : 'enforce'
}

/** Throws `USAGE` for a mode that there is not. */
export function requireMode(input: string | undefined): void {
  if (!input || ['enforce', 'warn', 'off'].includes(input)) return
  throw new CodedError('USAGE', `no gate mode ${JSON.stringify(input)}`, {
    hint: 'AGENT_CHAT_GATE is one of: enforce, warn, off',
  })
}

/** The facts of a message before it is sent. */
export type SendCase = {
  mode: Mode
  sender: 'human' | 'agent'
  turn: Openness
  recipient: string
  /** Pieces of work since the turn began, or since the last message sent in it. */
  work: number
  question: boolean
  /** Whether a question to this recipient waits for its answer. */
  questionOpen: boolean
  /** Whether the recipient waits for it: it asked, or gave a task. The human always waits. */
  answers: boolean
  /** Whether the user approved messages to this recipient beforehand. */
  approved: boolean
}

/** A decision. `remedy` tells a refused sender what to do. */
export type Verdict = { allow: boolean; rule: Rule; reason: string; remedy: string }

const SHOW_USER = 'tell your user what the message says and what you plan, then wait for a yes'

/** Whether a message may be sent. The first row that fits decides. */
export function judgeSend(send: SendCase): Verdict {
  if (send.mode === 'off') return allow('off', 'the gate is off')
  if (send.sender === 'human') return allow('human', 'you wrote it yourself')
  if (send.turn === 'unknown') return allow('no hooks', 'nothing shows whose turn this is')
  if (send.turn === 'open') return allow('own turn', 'the user has typed in this turn')
  if (send.approved)
    return allow('pre-approval', `the user approved messages to @${send.recipient} beforehand`)
  if (send.question && send.questionOpen) {
    return refuse(
      'one question',
      `one clarifying question to @${send.recipient} is already waiting for its answer`,
      'wait for the answer, or for your user, before you ask again',
    )
  }
  if (send.question) return allow('one question', 'one clarifying question is free')
  if (send.answers) return allow('an answer', `@${send.recipient} asked`)
  if (send.recipient === HUMAN) return allow('to the human', 'it wakes nobody')
  if (send.work > 0) return allow('work gate', 'it follows work')
  return refuse(
    'work gate',
    'reply only after doing some work (or ask one question with --question)',
    SHOW_USER,
  )
}

/** The facts of a tool call before it runs. */
export type ToolCase = {
  mode: Mode
  turn: Openness
  /** `own`: one of agent-chat's own commands; `reading`: changes nothing; `changing`: all else. */
  effect: 'own' | 'reading' | 'changing'
  causes: string
  subject: string | undefined
  /** Whether the user approved, beforehand, the sender of every message that this turn is about. */
  approved: boolean
  /** Whether the human allows this very call in every turn. */
  allowed: boolean
  /** Whether the human was asked in this turn and did not let that call run. */
  declined: boolean
  /** Whether the human said yes to the like of it in this turn. */
  covered: boolean
  /** What a yes would mean, as a sentence. */
  yes: string
  /** Why nobody can be asked about it, and what the human can do instead. */
  unaskable: Unaskable | undefined
}

/**
 * `deny`: the host would run the call in spite of a question; else it takes a question for a no.
 */
export type Unaskable = { deny: boolean; why: string; remedy: string }

/** `pass`: as if there were no gate. `ask`: put it to the human. `deny`: not again after a no. */
export type ToolVerdict = Verdict & {
  answer: 'pass' | 'ask' | 'deny'
  /** Whether the model is told the remedy: a dialog has no use for it. */
  tell?: true
}

/** Whether a tool call passes, is put to the human, or is stopped. The first row that fits. */
export function judgeTool(call: ToolCase): ToolVerdict {
  const harmless = judgeHarmless(call)
  if (harmless) return harmless
  if (call.allowed) return pass('allowed', 'the user allows it: agent-chat allow')
  if (call.approved)
    return pass('pre-approval', 'the user approved messages from this session beforehand')
  if (call.declined) {
    const verdict = refuse(
      'human approval',
      'your user was asked in this turn and did not say yes',
      SHOW_USER,
    )
    return { ...verdict, answer: 'deny', tell: true }
  }
  if (call.covered)
    return pass('human approval', 'the user already allowed such calls in this turn')
  const subject = call.subject === undefined ? '' : ` (“${visibleLine(call.subject)}”)`
  const from = call.causes === '' ? 'another session' : call.causes
  const began = `a message from ${from}${subject} started this turn`
  if (call.unaskable === undefined)
    return { ...refuse('human approval', `${began}. ${call.yes}`, SHOW_USER), answer: 'ask' }
  const { deny, why, remedy } = call.unaskable
  return {
    ...refuse('human approval', `${began}, and ${why}`, remedy),
    answer: deny ? 'deny' : 'ask',
    tell: true,
  }
}

/** The first rows: those that need no more than whose turn it is and what the call does. */
export function judgeHarmless({
  mode,
  turn,
  effect,
}: Pick<ToolCase, 'mode' | 'turn' | 'effect'>): ToolVerdict | undefined {
  if (mode === 'off') return pass('off', 'the gate is off')
  if (turn === 'unknown') return pass('no hooks', 'nothing shows whose turn this is')
  if (turn === 'open') return pass('own turn', 'the user has typed in this turn')
  if (effect === 'own') return pass('own command', "agent-chat's own commands have their own rules")
  return effect === 'reading' ? pass('reading', 'it changes nothing') : undefined
}

function pass(rule: Rule, reason: string): ToolVerdict {
  return { ...allow(rule, reason), answer: 'pass' }
}

/**
 * Whether a message rings, and why not. `quiet`: it only thanks or acknowledges, or is one of many
 * `toHuman`. With the human of this home every chain ends: no model runs because of a message to
 * them, so none is held. `recent`: how many the sender has sent in ten minutes with this one, to
 * the human alone where it is `toHuman`.
 */
export function judgeRing(message: {
  mode: Mode
  hops: number
  recent: number
  acknowledges: boolean
  toHuman?: boolean
}): RingVerdict {
  if (message.mode === 'off') return { ring: 'rings', why: '' }
  const { toHuman = false } = message
  const hops = toHuman ? 0 : message.hops
  if (hops >= MAX_HOPS)
    return { ring: 'held', why: `${hops} messages on this chain since your user last wrote` }
  if (message.recent > MAX_RECENT) {
    const why = `more than ${MAX_RECENT} messages in 10 minutes`
    return toHuman ? { ring: 'quiet', why: `${why} to your user` } : { ring: 'held', why }
  }
  // Thanks follow something: a first message is never mere thanks.
  return message.acknowledges && hops > 0
    ? { ring: 'quiet', why: 'it only thanks or acknowledges' }
    : { ring: 'rings', why: '' }
}

/**
 * Refuses a message that follows from one which is itself held. That one was read without a ring,
 * for example by an agent that the end of a command in the background has woken, and two such
 * agents would write to each other for ever. A message whose chain the human let go on before it
 * was read counts as theirs. Undefined where it is not refused.
 */
export function judgeChain(message: {
  mode: Mode
  turn: Openness
  to: string
  hops: number
}): Verdict | undefined {
  const { mode, turn, to, hops } = message
  // With the human every chain ends, and where nothing tells of turns they may have spoken.
  if (mode === 'off' || turn === 'unknown' || to === HUMAN || hops <= MAX_HOPS) return undefined
  return refuse(
    'loops',
    `it answers a held message, and this chain has ${hops} messages since your user last wrote`,
    'tell your user what the message says and what you would answer, then wait for their answer',
  )
}

export type RingVerdict = { ring: 'rings' | 'held' | 'quiet'; why: string }

function allow(rule: Rule, reason: string): Verdict {
  return { allow: true, rule, reason, remedy: '' }
}

function refuse(rule: Rule, reason: string, remedy: string): Verdict {
  return { allow: false, rule, reason, remedy }
}
