import { record } from '../../bus/history.ts'
import { insideOf } from '../../gate/call.ts'
import { gradeOf } from '../../gate/grade.ts'
import type { Mode, ToolVerdict } from '../../gate/rules.ts'
import { schedules } from '../../gate/tool.ts'
import { isoTime } from '../../message/time.ts'
import { changeState } from '../../session/stateFile.ts'
import { changeTurn } from '../../session/subagents.ts'
import type { Turn } from '../../session/turn.ts'
import { toolOf, turnIn } from '../call.ts'
import { hereOf } from '../here.ts'
import type { Participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { withScheduled } from './activity.ts'

/**
 * Every refusal and every approval is in the history, with its reason; what needs neither is not.
 */
export function noteVerdict(
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

/** That the human is asked about a call, and what a yes to it would cover. */
export function noteAsked(ports: HookPorts, payload: Payload, who: Participant): void {
  const grade = gradeOf(toolOf(payload), insideOf(hereOf(ports, payload, who)))
  const asked = {
    call: textOf(payload, 'tool_use_id') ?? '',
    agent: textOf(payload, 'agent_id') ?? null,
    at: isoTime(ports.bus().clock.now()),
    ...(grade ? { grade } : {}),
  }
  changeState(ports.bus(), who.name, (before) => {
    const at = before && turnIn(before, payload)?.at
    const others = (turn: Turn) => turn.asked.filter(({ agent }) => agent !== asked.agent)
    return (
      before && changeTurn(before, at, (turn) => ({ ...turn, asked: [...others(turn), asked] }))
    )
  })
}

/**
 * A prompt that the agent schedules for itself comes back without a mark; it is known by its words.
 */
export function noteSchedule(ports: HookPorts, payload: Payload, who: Participant): void {
  const prompt = schedules(toolOf(payload))
  if (prompt === undefined) return
  changeState(ports.bus(), who.name, (before) => before && withScheduled(before, [prompt]))
}
