import { record } from '../../bus/history.ts'
import { wakeWatcher } from '../../bus/mail/bell.ts'
import { nextState, type SessionState } from '../../session/state.ts'
import { changeState } from '../../session/stateFile.ts'
import { changeTurn, withStarted } from '../../session/subagents.ts'
import { type Asked, hasWord, type Turn } from '../../session/turn.ts'
import { fieldOf } from '../../system/json.ts'
import { pause, timeLeft } from '../../system/timeLeft.ts'
import { isStarter } from '../../trust/toolGate/table.ts'
import { isWork } from '../../trust/toolGate/tool.ts'
import { answerOf, recordOf } from '../../trust/turn/answer.ts'
import { ANSWER_MS, DIALOG_MS, toolOf, turnIn, waitedFor } from '../call.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import { noteEnd } from '../peers.ts'
import type { HookPorts } from '../ports.ts'
import { type Reply, SILENT } from '../reply.ts'
import { stateEvent } from '../stateEvent.ts'
import { noteCallEnd } from './subagent.ts'
import { withOwn } from './toolNotes.ts'

/**
 * A tool has run: a dialog before it was answered, and in a turn without the human's word it is
 * work, or what the human has allowed.
 */
export function postToolUse(ports: HookPorts, payload: Payload): Reply | Promise<Reply> {
  const who = participant(ports)
  const noted = who && noteEnd(ports, payload, who)
  return noted ? noted.then(() => ended(ports, payload, who)) : ended(ports, payload, who)
}

function ended(ports: HookPorts, payload: Payload, who: Participant | undefined): Reply {
  const state = who?.state
  // What a command in a sandbox has sent rings from here.
  if (who && ports.agent?.hidesProcesses) wakeWatcher(ports.bus())
  const starts = isStarter(toolOf(payload).name)
  if (!who || !state) return SILENT
  if (!wentOn(payload)) noteCallEnd(ports, payload, who)
  const isYours = hasWord(turnIn(state, payload))
  if (isYours && !ports.agent && wentOn(payload))
    changeState(
      ports.bus(),
      who.name,
      (before) => before && withOwn(before, undefined, textOf(payload, 'tool_use_id')),
    )
  if (state.activity !== 'asking' && !starts && isYours) return SILENT
  const event = stateEvent(ports, payload, who, 'worked')
  const answer = answered(ports, payload, who, state)
  let asked: Asked | undefined
  changeState(ports.bus(), who.name, (before) => {
    const next = nextState(before, event) ?? before
    const now = next && withStarted(next, textOf(payload, 'tool_use_id'), startedIn(payload))
    const turn = now && turnIn(now, payload)
    asked = undefined
    if (!turn || hasWord(turn)) return now
    asked = turn.asked.find(isThis(payload))
    return changeTurn(now, turn.at, (one) => afterCall(one, payload, answer))
  })
  if (asked) noteAnswer(ports, payload, who, answer)
  return SILENT
}

/** Who answered a question of ours about a call: the user, or what did so in their place. */
type Answer = { isYours: boolean; by: string }

/**
 * Who let this call run. The hook that tells of its dialog has time to come; so has the client's own
 * record, which says who answered. What neither tells is no yes.
 */
function answered(
  ports: HookPorts,
  payload: Payload,
  { name }: Participant,
  state: SessionState,
): Answer {
  const isIts = isThis(payload)
  const left = timeLeft(ANSWER_MS)
  const wasAsked = turnIn(state, payload)?.asked.some(isIts) ?? false
  if (!wasAsked) return NOBODY
  changeState(ports.bus(), name, (before) => {
    const mark = (one: Asked): Asked => (isIts(one) ? { ...one, ran: true } : one)
    const at = before && turnIn(before, payload)?.at
    return before && changeTurn(before, at, (turn) => ({ ...turn, asked: turn.asked.map(mark) }))
  })
  const isUnseen = (now: SessionState) =>
    turnIn(now, payload)?.asked.some((one) => isIts(one) && !one.shown) ?? false
  const now = waitedFor(ports, name, state, (one, waited) => waited < DIALOG_MS && isUnseen(one))
  if (isUnseen(now)) return NOBODY
  if (ports.agent) return { isYours: true, by: 'dialog' }
  const transcript = textOf(payload, 'transcript_path')
  const call = textOf(payload, 'tool_use_id')
  if (transcript === undefined || call === undefined) return UNTOLD
  const path = recordOf(transcript, textOf(payload, 'agent_id'))
  for (;;) {
    const answer = answerOf(path, call)
    if (answer || left() <= 0) return answer ?? UNTOLD
    pause(LOOK_MS)
  }
}

const LOOK_MS = 25

const NOBODY: Answer = { isYours: false, by: 'nobody' }
const UNTOLD: Answer = { isYours: false, by: 'unknown' }

/** What a yes that no person gave is called in the history, by the record's word for its giver. */
const GIVERS: Record<string, string> = {
  nobody: 'the host ran it and asked nobody',
  unknown: 'the record of the conversation does not say who allowed it',
  hook: 'another permission hook allowed it',
  config: 'a permission rule allowed it',
}

function isThis(payload: Payload): (asked: Asked) => boolean {
  return ({ call }) => call === textOf(payload, 'tool_use_id')
}

function noteAnswer(ports: HookPorts, payload: Payload, who: Participant, answer: Answer): void {
  const tool = textOf(payload, 'tool_name')
  const giver = GIVERS[answer.by] ?? `a program allowed it (${answer.by})`
  const [event, by, reason] = answer.isYours
    ? ['approved', { by: 'human' }, 'the user allowed it']
    : ['unasked', {}, giver]
  record(ports.bus(), event, { name: who.name, tool, ...by, rule: 'human approval', reason })
}

/** The turn after a call of it has run: what was asked about has had its yes. */
function afterCall(turn: Turn, payload: Payload, { isYours }: Answer): Turn {
  const isIt = isThis(payload)
  const asked = turn.asked.find(isIt)
  const grade = isYours ? asked?.grade : undefined
  const granted = [...new Set([...(turn.granted ?? []), ...(grade ? [grade] : [])])]
  return {
    ...turn,
    work: turn.work + (isWork(toolOf(payload)) ? 1 : 0),
    asked: turn.asked.filter((one) => !isIt(one)),
    ...(granted.length > 0 ? { granted } : {}),
    ...(asked && !isYours ? { unasked: true as const } : {}),
  }
}

/** Whether the client has moved a command to the background, whose end it will tell as a prompt. */
function wentOn({ tool_response: response }: Payload): boolean {
  return fieldOf(response, 'backgroundTaskId') !== undefined
}

/** The subagent that a call has started, where the host tells it. */
function startedIn({ tool_response: response }: Payload): string | undefined {
  if (typeof response !== 'object' || response === null || !('agentId' in response))
    return undefined
  return typeof response.agentId === 'string' ? response.agentId : undefined
}
