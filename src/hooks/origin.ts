import { existsSync } from 'node:fs'
import { record } from '../bus/history.ts'
import { formatId } from '../message/id.ts'
import { HUMAN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import type { SessionState } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { withTurn } from '../session/subagents.ts'
import { hasWord, type Turn } from '../session/turn.ts'
import { takeWords } from '../session/words.ts'
import { pause } from '../system/timeLeft.ts'
import { tellsOrigin } from '../trust/turn/origins.ts'
import { endOf, type Told, toldOf, toldSince, versionIn } from '../trust/turn/record.ts'
import {
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
  if (turn === undefined || turn.claim || turn.heard || turn.id !== id || !id || !path) return false
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
    told: isWhole && id && path ? awaited(ports, path, id, state) : undefined,
    earlier: (one: string) => (path ? toldOf(path, one) : undefined),
    since: (turn: Turn | undefined) => sinceLook(path, id, turn),
    end: () => (path ? endOf(path) : undefined),
    words,
    chain: formatId(clock.micros(), HUMAN),
    at: isoTime(clock.now()),
  }
  // Claude Code before 2.1.196 names no prompt, and tells of none.
  if (id === undefined && path && !tellsOrigin(versionIn(path) ?? '9')) return state
  let lost = false
  let changed: SessionState | undefined
  const next = changeState(ports.bus(), who.name, (before) => {
    if (before === undefined) return undefined
    // Another prompt has come meanwhile, and the whole record has to tell.
    changed = isWhole || (!isDue(before.turn, id) && proof.since(before.turn)) ? undefined : before
    if (changed) return undefined
    const turn = settledTurn(before.turn, { ...proof, state: before })
    lost = hasWord(before.turn) && !hasWord(turn)
    return isSame(before.turn, turn) ? undefined : withTurn(before, turn)
  })
  if (changed) return settle(ports, payload, who, changed)
  if (lost) recordDisowned(ports, who)
  return next ?? state
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
): Told | undefined {
  const { clock } = ports.bus()
  const began = clock.now()
  for (;;) {
    const told = toldOf(path, id)
    const late = clock.now() - began
    if (isTold(told, id, state) || late >= LATE_MS || (late >= MISSING_MS && !existsSync(path)))
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
