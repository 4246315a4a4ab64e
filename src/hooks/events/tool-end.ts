import { record } from '../../bus/history.ts'
import { wakeWatcher } from '../../bus/mail/bell.ts'
import { isWork } from '../../gate/tool.ts'
import { nextState, type SessionState } from '../../session/state.ts'
import { changeState } from '../../session/stateFile.ts'
import { changeTurn, isStarter, withStarted } from '../../session/subagents.ts'
import { type Asked, hasWord, type Turn } from '../../session/turn.ts'
import { DIALOG_MS, toolOf, turnIn, waitedFor } from '../call.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { type Reply, SILENT } from '../reply.ts'
import { stateEvent } from './activity.ts'

/**
 * A tool has run: a dialog before it was answered, and in a turn without the human's word it is
 * work, or what the human has allowed.
 */
export function postToolUse(ports: HookPorts, payload: Payload): Reply {
  const who = participant(ports)
  const state = who?.state
  // What a command in a sandbox has sent rings from here.
  if (who && ports.agent?.hidesProcesses) wakeWatcher(ports.bus())
  const starts = isStarter(toolOf(payload).name)
  if (!who || !state) return SILENT
  if (state.activity !== 'asking' && !starts && hasWord(turnIn(state, payload))) return SILENT
  const event = stateEvent(ports, payload, who, 'worked')
  awaitDialog(ports, payload, who, state)
  let asked: Asked | undefined
  changeState(ports.bus(), who.name, (before) => {
    const next = nextState(before, event) ?? before
    const now = next && withStarted(next, textOf(payload, 'tool_use_id'), startedIn(payload))
    const turn = now && turnIn(now, payload)
    asked = undefined
    if (!turn || hasWord(turn)) return now
    asked = turn.asked.find(isThis(payload))
    return changeTurn(now, turn.at, (one) => afterCall(one, payload))
  })
  if (asked) noteAnswer(ports, payload, who, asked)
  return SILENT
}

/** Where the human was to be asked, the hook that tells of the dialog has time to come. */
function awaitDialog(
  ports: HookPorts,
  payload: Payload,
  { name }: Participant,
  state: SessionState,
): void {
  const isUnseen = (now: SessionState) =>
    turnIn(now, payload)?.asked.some((one) => isThis(payload)(one) && !one.shown) ?? false
  if (!isUnseen(state)) return
  changeState(ports.bus(), name, (before) => {
    const mark = (one: Asked): Asked => (isThis(payload)(one) ? { ...one, ran: true } : one)
    const at = before && turnIn(before, payload)?.at
    return before && changeTurn(before, at, (turn) => ({ ...turn, asked: turn.asked.map(mark) }))
  })
  waitedFor(ports, name, state, (now, waited) => waited < DIALOG_MS && isUnseen(now))
}

function isThis(payload: Payload): (asked: Asked) => boolean {
  return ({ call }) => call === textOf(payload, 'tool_use_id')
}

function noteAnswer(ports: HookPorts, payload: Payload, who: Participant, asked: Asked): void {
  const tool = textOf(payload, 'tool_name')
  const [event, by, reason] = asked.shown
    ? ['approved', { by: 'human' }, 'the user allowed it']
    : ['unasked', {}, 'the host ran it and asked nobody']
  record(ports.bus(), event, { name: who.name, tool, ...by, rule: 'human approval', reason })
}

/** The turn after a call of it has run: what was asked about has had its yes. */
function afterCall(turn: Turn, payload: Payload): Turn {
  const isIt = isThis(payload)
  const asked = turn.asked.find(isIt)
  const grade = asked?.shown ? asked.grade : undefined
  const granted = [...new Set([...(turn.granted ?? []), ...(grade ? [grade] : [])])]
  return {
    ...turn,
    work: turn.work + (isWork(toolOf(payload)) ? 1 : 0),
    asked: turn.asked.filter((one) => !isIt(one)),
    ...(granted.length > 0 ? { granted } : {}),
    ...(asked && !asked.shown ? { unasked: true as const } : {}),
  }
}

/** The subagent that a call has started, where the host tells it. */
function startedIn({ tool_response: response }: Payload): string | undefined {
  if (typeof response !== 'object' || response === null || !('agentId' in response))
    return undefined
  return typeof response.agentId === 'string' ? response.agentId : undefined
}
