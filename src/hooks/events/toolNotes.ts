import { record } from '../../bus/history.ts'
import { isoTime } from '../../message/time.ts'
import type { SessionState } from '../../session/state.ts'
import { changeState } from '../../session/stateFile.ts'
import { changeTurn } from '../../session/subagents.ts'
import { hasWord, type Turn } from '../../session/turn.ts'
import { promptKey } from '../../session/witness.ts'
import { onlyRunsChecks } from '../../trust/allow/allows.ts'
import type { Mode, ToolVerdict } from '../../trust/sendGate/rules.ts'
import { gradeOf } from '../../trust/toolGate/grade.ts'
import { schedules, startsTask } from '../../trust/toolGate/tool.ts'
import { toolOf, turnIn } from '../call.ts'
import { hereOf } from '../here.ts'
import type { Participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'

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
  if (answer === 'pass' && rule !== 'pre-approval' && rule !== 'allowed') return
  const event = answer === 'pass' ? 'approved' : answer === 'ask' ? 'asked' : 'refused'
  const by = answer === 'pass' ? { by: rule } : {}
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
  const [call, here] = [toolOf(payload), hereOf(ports, payload, who)]
  const grade = gradeOf(call, here)
  const changed = onlyRunsChecks(call, here) ? {} : { changed: true as const }
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
      before &&
      changeTurn(before, at, (turn) => ({
        ...turn,
        ...changed,
        asked: [...others(turn), asked],
      }))
    )
  })
}

/** That what an allowed command does may be another thing from now on in this turn. */
export function noteChanged(ports: HookPorts, payload: Payload, who: Participant): void {
  changeState(ports.bus(), who.name, (before) => {
    const at = before && turnIn(before, payload)?.at
    return before && changeTurn(before, at, (turn) => ({ ...turn, changed: true }))
  })
}

/** So many schedules and tasks of a session are known at once. */
const MOST_KNOWN = 100

/**
 * What a call leaves behind that speaks later. A prompt that the agent schedules for itself comes
 * back word for word; the end of a task names the call. What a turn of the user's has left is theirs.
 */
export function noteStarts(ports: HookPorts, payload: Payload, who: Participant): void {
  const call = toolOf(payload)
  const prompt = schedules(call)
  const id = startsTask(call) ? textOf(payload, 'tool_use_id') : undefined
  if (prompt === undefined && id === undefined) return
  changeState(ports.bus(), who.name, (before) => {
    const next = before && (prompt === undefined ? before : withScheduled(before, [prompt]))
    return next && !ports.agent && isYours(turnIn(next, payload)) ? withOwn(next, prompt, id) : next
  })
}

function isYours(turn: Turn | undefined): boolean {
  return turn !== undefined && hasWord(turn)
}

/** The state with a schedule and a task of the user's. */
export function withOwn(
  state: SessionState,
  prompt: string | undefined,
  call: string | undefined,
): SessionState {
  const { schedules: known = {}, tasks = [] } = state
  const key = prompt === undefined ? undefined : promptKey(prompt)
  const others = Object.entries(known).filter(([one]) => one !== key)
  return {
    ...state,
    ...(key && { schedules: Object.fromEntries([...others, [key, []]].slice(-MOST_KNOWN)) }),
    ...(call && { tasks: [...tasks, call].slice(-MOST_KNOWN) }),
  }
}

/** The state with prompts that will come back word for word, the last few of them. */
export function withScheduled(state: SessionState, prompts: string[]): SessionState {
  return { ...state, scheduled: [...new Set([...(state.scheduled ?? []), ...prompts])].slice(-20) }
}
