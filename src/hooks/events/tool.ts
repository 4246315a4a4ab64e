import { record } from '../../bus/history.ts'
import { approvedCauses, sendersText } from '../../gate/cause.ts'
import { placeAt } from '../../gate/place.ts'
import { judgeTool, type Mode, parseMode, type ToolVerdict } from '../../gate/rules.ts'
import { effectOfTool, isWork, schedules } from '../../gate/tool.ts'
import { isoTime } from '../../message/time.ts'
import { nextState, type SessionState } from '../../session/state.ts'
import { changeState, readState } from '../../session/stateFile.ts'
import { isOpen, openness } from '../../session/turn.ts'
import { pause } from '../../system/timeLeft.ts'
import { withOrigin } from '../origin.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { answer, notice, type Reply, SILENT } from '../reply.ts'
import { stateEvent, withScheduled } from './activity.ts'

/** The hook that tells of an approved call's end runs beside the agent, and may be this late. In milliseconds. */
const LATE_MS = 600
const LOOK_MS = 20

/**
 * A tool is about to run. In a turn that a doorbell began, with no word of the human in it, what changes things is put to the human once; what
 * the human lets run opens the rest of the turn.
 */
export function preToolUse(ports: HookPorts, payload: Payload): Reply {
  const who = participant(ports)
  const told = who?.state
  if (!who || !told) return SILENT
  noteSchedule(ports, payload, who)
  const mode = parseMode(told.gate)
  const state = mode === 'off' ? told : withOrigin(ports, payload, who, told)
  if (mode === 'off' || openness(state.turn) !== 'closed') return SILENT
  const verdict = judge(ports, payload, who, afterAnswer(ports, payload, who, state))
  noteVerdict(ports, payload, who, verdict, mode)
  if (verdict.answer === 'pass') return SILENT
  if (mode === 'warn') return notice(`agent-chat would ask: ${verdict.reason}`)
  if (verdict.answer === 'ask') noteAsked(ports, payload, who)
  return answer('PreToolUse', {
    permissionDecision: verdict.answer,
    permissionDecisionReason: `agent-chat: ${verdict.reason}${verdict.answer === 'deny' ? `. ${verdict.remedy}` : ''}`,
  })
}

/** A tool has run: a dialog before it was answered, and in a turn without the human's word it is work, or what the human has allowed. */
export function postToolUse(ports: HookPorts, payload: Payload): Reply {
  const who = participant(ports)
  const state = who?.state
  if (!who || !state || (state.activity !== 'asking' && openness(state.turn) !== 'closed'))
    return SILENT
  const event = stateEvent(ports, payload, who, 'worked')
  const call = textOf(payload, 'tool_use_id')
  let allowed = false
  changeState(ports.bus(), who.name, (before) => {
    allowed = false
    const next = nextState(before, event) ?? before
    if (!next?.turn || isOpen(next.turn)) return next
    allowed = next.turn.asked !== null && next.turn.asked.call === call
    const work = next.turn.work + (isWork(toolOf(payload)) ? 1 : 0)
    return {
      ...next,
      turn: {
        ...next.turn,
        work,
        ...(allowed ? { opened: 'approval' as const, asked: null } : {}),
      },
    }
  })
  if (allowed) {
    const fields = { name: who.name, tool: textOf(payload, 'tool_name'), by: 'human' }
    record(ports.bus(), 'approved', {
      ...fields,
      rule: 'human approval',
      reason: 'the human let it run',
    })
  }
  return SILENT
}

function judge(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  state: SessionState,
): ToolVerdict {
  const { senders, subject, approved } = approvedCauses(ports.bus(), who.name, state.turn)
  const asked = state.turn?.asked ?? null
  return judgeTool({
    mode: parseMode(state.gate),
    turn: openness(state.turn),
    effect: effectOfTool(
      toolOf(payload),
      placeAt(textOf(payload, 'cwd'), rootOf(ports, who), ports.env),
    ),
    causes: sendersText(senders),
    subject,
    approved,
    // Another agent of this session may still be at what was allowed; only the one that was asked knows of a no.
    declined:
      asked !== null &&
      asked.call !== textOf(payload, 'tool_use_id') &&
      asked.agent === (textOf(payload, 'agent_id') ?? null),
  })
}

/** Where the host was started: its user knows the repository there. Other hosts do not tell; there it is where the session joined. */
function rootOf(ports: HookPorts, who: Participant): string {
  return ports.env.CLAUDE_PROJECT_DIR || who.session.cwd
}

/** Every refusal and every approval is in the history, with its reason; what needs neither is not. */
function noteVerdict(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  verdict: ToolVerdict,
  mode: Mode,
): void {
  const { answer, rule, reason } = verdict
  if (answer === 'pass' && rule !== 'pre-approval') return
  const event = answer === 'pass' ? 'approved' : answer === 'ask' ? 'asked' : 'refused'
  const by = answer === 'pass' ? { by: 'pre-approval' } : {}
  record(ports.bus(), event, {
    name: who.name,
    tool: textOf(payload, 'tool_name') ?? 'a tool',
    ...by,
    rule,
    reason,
    mode,
  })
}

/** The state, once the end of a call that the human may have allowed has had time to be told. */
function afterAnswer(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  state: SessionState,
): SessionState {
  let now = state
  for (
    let waited = 0;
    waited < LATE_MS && now.turn?.asked && now.turn.asked.call !== textOf(payload, 'tool_use_id');
    waited += LOOK_MS
  ) {
    pause(LOOK_MS)
    now = readState(ports.bus().home, who.name) ?? now
  }
  return now
}

function noteAsked(ports: HookPorts, payload: Payload, who: Participant): void {
  const asked = {
    call: textOf(payload, 'tool_use_id') ?? '',
    agent: textOf(payload, 'agent_id') ?? null,
    at: isoTime(ports.bus().clock.now()),
  }
  changeState(
    ports.bus(),
    who.name,
    (before) => before?.turn && { ...before, turn: { ...before.turn, asked } },
  )
}

/** A prompt that the agent schedules for itself comes back without a mark; it is known by its words. */
function noteSchedule(ports: HookPorts, payload: Payload, who: Participant): void {
  const prompt = schedules(toolOf(payload))
  if (prompt === undefined) return
  changeState(ports.bus(), who.name, (before) => before && withScheduled(before, [prompt]))
}

function toolOf(payload: Payload): { name: string; input: Record<string, unknown> } {
  const input = payload.tool_input
  return {
    name: textOf(payload, 'tool_name') ?? '',
    input: typeof input === 'object' && input !== null ? { ...input } : {},
  }
}
