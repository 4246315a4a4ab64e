import { existsSync } from 'node:fs'
import { record } from '../bus/history.ts'
import { formatId } from '../message/id.ts'
import { HUMAN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { type SessionState, withoutQuestion } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { withTurn } from '../session/subagents.ts'
import { hasWord, type Turn } from '../session/turn.ts'
import { takeWords } from '../session/words.ts'
import { pause } from '../system/timeLeft.ts'
import { changeLedger, readLedger } from '../trust/sendGate/ledger.ts'
import { tellsOrigin } from '../trust/turn/origins.ts'
import { endOf, type Told, toldOf, toldSince, versionIn } from '../trust/turn/record.ts'
import {
  hasSpoken,
  heardOrigin,
  isDue,
  isSpokenOver,
  isStranger,
  mayLose,
  openingOf,
  settledTurn,
} from '../trust/turn/settle.ts'
import type { Participant } from './participant.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'

/**
 * The host writes its record about every 100 ms, on a busy machine much later; a model takes about
 * as long to its first tool call. After 10 s the host ends this hook and lets the call pass, so that
 * some time has to be left. Where there is no file at all, none will come soon. In milliseconds.
 */
const LATE_MS = 7000
/** At the end of a turn its record has long been written. */
const ENDED_MS = 1000
const MISSING_MS = 3000
const LOOK_MS = 25

/**
 * Whether nothing about this call's turn has to be noted: its record told, or tells at the first
 * look, that it is the user's, or it is closed.
 */
export function isSettled(payload: Payload, state: SessionState): boolean {
  const { turn, tasks } = state
  const id = promptOf(payload, turn)
  const path = textOf(payload, 'transcript_path')
  if (!isDue(turn, id)) return isQuiet(path, id, state)
  if (
    turn === undefined ||
    turn.claim ||
    turn.answers ||
    turn.heard ||
    turn.id !== id ||
    !id ||
    !path
  )
    return false
  const told = toldOf(path, id, true)
  const known = tasks ? { tasks } : {}
  return (
    openingOf(told, known) === 'you' &&
    !told?.inside.some((one) => isStranger(one, { state: known }))
  )
}

/**
 * Whether the record shows no word of another since the last look at it, and has not grown by much,
 * or the turn has nothing to lose.
 */
function isQuiet(path: string | undefined, id: string | undefined, state: SessionState): boolean {
  if (state.turn === undefined || !mayLose(state.turn)) return true
  const shown = sinceLook(path, id, state.turn)
  return shown !== undefined && !shown.isFar && !isSpokenOver(shown.words, { state })
}

function sinceLook(path: string | undefined, id: string | undefined, turn: Turn | undefined) {
  const { read } = turn ?? {}
  if (!path || id === undefined || read?.prompt !== id) return undefined
  return toldSince(path, id, read)
}

/**
 * Settles whose turn this is by the client's own record, which the client writes a moment after the
 * prompt: waits for it, and closes a turn of which it does not tell. Gives the state that holds.
 */
export function settle(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  state: SessionState,
): SessionState {
  const id = promptOf(payload, state.turn)
  const path = textOf(payload, 'transcript_path')
  const isOpening = isDue(state.turn, id)
  if (ports.agent || (!isOpening && isQuiet(path, id, state))) return state
  const isWhole = isOpening || sinceLook(path, id, state.turn) === undefined
  const { clock } = ports.bus()
  let spent: boolean | undefined
  const words = () => {
    spent ??= takeWords(ports.bus(), who.name)
    return spent
  }
  const proof = {
    id: id ?? '',
    told: isWhole && id && path ? awaited(ports, path, id, state, LATE_MS) : undefined,
    earlier: (one: string) => (path ? toldOf(path, one) : undefined),
    since: (turn: Turn | undefined) => sinceLook(path, id, turn),
    end: () => (path ? endOf(path) : undefined),
    words,
    chain: formatId(clock.micros(), HUMAN),
    at: isoTime(clock.now()),
  }
  if (namesNone(id, path)) return state
  let lost = false
  let spoke = false
  let changed: SessionState | undefined
  const next = changeState(ports.bus(), who.name, (before) => {
    if (before === undefined) return undefined
    // Another prompt has come meanwhile, and the whole record has to tell.
    changed = isWhole || (!isDue(before.turn, id) && proof.since(before.turn)) ? undefined : before
    if (changed) return undefined
    const turn = settledTurn(before.turn, { ...proof, state: before })
    lost = hasWord(before.turn) && !hasWord(turn)
    spoke = before.turn !== undefined && hasSpoken(before.turn, { ...proof, state: before })
    const isAnswered = spoke || (before.turn?.answers && turn.opened === 'message')
    const next = isAnswered ? withoutQuestion(before) : before
    return isSame(before.turn, turn) ? undefined : withTurn(next, turn)
  })
  if (spoke) closeQuestions(ports, who)
  if (changed) return settle(ports, payload, who, changed)
  if (lost) recordDisowned(ports, who)
  return next ?? state
}

/** Claude Code before 2.1.196 names no prompt, and tells of none. */
export function namesNone(id: string | undefined, path: string | undefined): boolean {
  return id === undefined && path !== undefined && !tellsOrigin(versionIn(path) ?? '9')
}

/**
 * Whether the user has spoken in a turn that ends, of which no call has asked the record: what waited
 * for them is answered then.
 */
export function isAnswered(ports: HookPorts, payload: Payload, who: Participant): boolean {
  const { state } = who
  const path = textOf(payload, 'transcript_path')
  const id = textOf(payload, 'prompt_id') ?? state?.turn?.id
  if (!state?.turn?.answers || !path || !id) return false
  const told = awaited(ports, path, id, state, ENDED_MS)
  const hasSaid = hasSpoken(state.turn, { id, told, state })
  if (hasSaid) closeQuestions(ports, who)
  return hasSaid
}

/** The user has spoken: a question that waits keeps nobody from the next one. */
export function closeQuestions(ports: HookPorts, { name }: Pick<Participant, 'name'>): void {
  if (!hasQuestions(ports, name)) return
  changeLedger(ports.bus(), name, (ledger) => ({ ...ledger, questions: {} }))
}

/** Whether an answer is awaited for a question of the session. */
export function hasQuestions(ports: HookPorts, name: string): boolean {
  return Object.keys(readLedger(ports.bus().home, name).questions).length > 0
}

/** Where several calls ask at once, only the first one changes something. */
function isSame(turn: Turn | undefined, next: Turn): boolean {
  return JSON.stringify(turn) === JSON.stringify(next)
}

export function recordDisowned(ports: HookPorts, { name }: Pick<Participant, 'name'>): void {
  record(ports.bus(), 'disowned', {
    name,
    reason: 'the user did not write the prompt of this turn',
  })
}

/** The prompt that a call belongs to; a subagent's is its session's. */
function promptOf(payload: Payload, turn: Turn | undefined): string | undefined {
  const isSubagent = textOf(payload, 'agent_id') !== undefined
  return (isSubagent ? turn?.id : undefined) ?? textOf(payload, 'prompt_id')
}

/** What the record tells, once it tells of the prompt and of the words that came after it. */
function awaited(
  ports: HookPorts,
  path: string,
  id: string,
  state: SessionState,
  most: number,
): Told | undefined {
  const { clock } = ports.bus()
  const began = clock.now()
  for (;;) {
    const told = toldOf(path, id)
    const late = clock.now() - began
    if (isTold(told, id, state) || late >= most || (late >= MISSING_MS && !existsSync(path)))
      return told
    pause(LOOK_MS)
  }
}

function isTold(told: Told | undefined, id: string, state: SessionState): boolean {
  if (told === undefined) return false
  if (state.turn?.id !== id) return true
  const heard = state.turn?.heard ?? []
  const isUnknown = (at: number) => {
    const one = heard[at]
    if (!one || one.sure) return false
    const earlier = heard.slice(0, at).filter(({ key }) => key === one.key).length
    return heardOrigin(one, earlier, { told, state }) === 'unknown'
  }
  return !heard.some((_, at) => isUnknown(at))
}
