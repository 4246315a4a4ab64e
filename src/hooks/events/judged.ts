import { effectOfCall, insideOf, servesTool, UNASKED, unaskable } from '../../gate/call.ts'
import { approvedCauses, causesOf, sendersText } from '../../gate/cause.ts'
import { gradeOf, isCovered, meaningOf } from '../../gate/grade.ts'
import { judgeHarmless, judgeTool, parseMode, type ToolVerdict } from '../../gate/rules.ts'
import { OPEN_TURN } from '../../session/given.ts'
import { noteJudged, roomOf } from '../../session/room.ts'
import type { SessionState } from '../../session/state.ts'
import { readState } from '../../session/stateFile.ts'
import { isStarter } from '../../session/subagents.ts'
import { type Asked, hasWord } from '../../session/turn.ts'
import { DIALOG_MS, toolOf, turnIn, waitedFor } from '../call.ts'
import { withOrigin } from '../disowned.ts'
import { hereOf } from '../here.ts'
import type { Participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import { byDecision } from '../permission.ts'
import type { HookPorts } from '../ports.ts'
import { allowed, answer, notice, type Reply, SILENT } from '../reply.ts'
import { nameAsker } from './question.ts'
import { noteStarting } from './subagent.ts'
import { noteAsked, noteSchedule, noteVerdict } from './toolNotes.ts'

/**
 * The hook that tells of an approved call's end runs beside the agent, and may be this late. In
 * milliseconds.
 */
const LATE_MS = 600

/**
 * What the first look has found. `early`: the call does not run yet; it is told of again before it
 * does. `elsewhere`: whether the turn began elsewhere, where that was looked up.
 */
export type Found = { early?: boolean; elsewhere?: boolean | undefined }

/**
 * All that the gate does about a call, for those that it may have something to say to, or to note.
 */
export function judgedWhole(
  ports: HookPorts,
  payload: Payload,
  who: Participant | undefined,
  found: Found,
): Reply {
  const reply = judged(ports, payload, who, found)
  if (who && !found.early) tellRoom(ports, payload, who, reply)
  return reply
}

/** The room inside the client stops a call of a closed turn that nobody has judged. */
function tellRoom(ports: HookPorts, payload: Payload, who: Participant, reply: Reply): void {
  const { home } = ports.bus()
  const call = textOf(payload, 'tool_use_id')
  if (call === undefined || who.worker || roomOf(home, who.agent) === undefined) return
  const asks = reply.stdout?.includes('"permissionDecision":"ask"')
  const turn = asks ? readState(home, who.name)?.turn : undefined
  const asked = turn && sendersText(causesOf(ports.bus(), who.name, turn))
  noteJudged(home, who.agent, { call, ...(asked ? { asked } : {}) })
}

function judged(
  ports: HookPorts,
  payload: Payload,
  who: Participant | undefined,
  { early = false, elsewhere }: Found,
): Reply {
  const told = who?.state
  if (who && told && !early) {
    noteSchedule(ports, payload, who)
    if (isStarter(toolOf(payload).name)) noteStarting(ports, payload, who)
  }
  if (who?.worker || ports.env.AGENT_CHAT_WORKER) return workerCall(ports, payload, who)
  if (!who || !told) return SILENT
  const mode = parseMode(told.gate)
  const state = mode === 'off' ? told : withOrigin(ports, payload, who, told, elsewhere)
  if (mode === 'off' || hasWord(turnIn(state, payload))) return passed(ports, payload, who)
  if (toolOf(payload).name === 'AskUserQuestion' && !ports.agent)
    return nameAsker(ports, payload, who.name, turnIn(state, payload))
  const verdict = judge(ports, payload, who, afterAnswer(ports, payload, who, state))
  noteVerdict(ports, payload, who, verdict, mode)
  if (verdict.answer === 'pass')
    return early && verdict.rule === 'human approval'
      ? allowed(verdict.reason)
      : passed(ports, payload, who)
  if (mode === 'warn') return notice(`agent-chat would ask: ${verdict.reason}`)
  if (verdict.answer === 'ask' && ports.agent?.ask === 'decision')
    return byDecision(ports, payload, { name: who.name, at: turnIn(state, payload)?.at, early })
  if (verdict.answer === 'ask') noteAsked(ports, payload, who)
  const more = verdict.tell ? `. ${verdict.remedy}` : ''
  return answer('PreToolUse', {
    permissionDecision: verdict.answer,
    permissionDecisionReason: `agent-chat: ${verdict.reason}${more}`,
  })
}

/**
 * Nothing to say, but that our own tools have their own rules, so the host puts no dialog of its
 * own in front of them; and to an agent that takes a yes, that a command of ours needs none.
 */
function passed(ports: HookPorts, payload: Payload, who: Participant): Reply {
  const call = toolOf(payload)
  if (!ports.agent?.takesYes && !call.name.startsWith('mcp__')) return SILENT
  const here = hereOf(ports, payload, who)
  const isOwn =
    servesTool(call, here) || (ports.agent?.takesYes && effectOfCall(call, here, false) === 'own')
  if (!isOwn) return SILENT
  return allowed("its own tools follow the session's guardrails")
}

/**
 * A worker's tool, or one of an agent that its tools have started. The worker's process decides
 * about whatever may change something: it knows by itself whose turn this is.
 */
function workerCall(ports: HookPorts, payload: Payload, who: Participant | undefined): Reply {
  const here = who ? hereOf(ports, payload, who) : undefined
  const turn = who?.state && turnIn(who.state, payload)
  const elsewhere = turn?.at !== who?.state?.turn?.at
  if (here && effectOfCall(toolOf(payload), here, elsewhere) !== 'changing') return SILENT
  return answer('PreToolUse', {
    permissionDecision: 'ask',
    permissionDecisionReason: turn && hasWord(turn) ? OPEN_TURN : CLOSED_TURN,
  })
}

const CLOSED_TURN = "agent-chat: this turn is not your user's own word, and nobody could be asked"

function judge(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  state: SessionState,
): ToolVerdict {
  const call = toolOf(payload)
  const turn = turnIn(state, payload)
  const here = hereOf(ports, payload, who)
  const facts = {
    mode: parseMode(state.gate),
    turn: turn === undefined ? 'unknown' : hasWord(turn) ? 'open' : 'closed',
    effect: effectOfCall(call, here, turn?.at !== state.turn?.at),
  } as const
  // Most calls pass by these facts alone; the others need files to be read.
  const harmless = judgeHarmless(facts)
  if (harmless) return harmless
  const isInside = insideOf(here)
  const { senders, subject, approved } = approvedCauses(ports.bus(), who.name, turn)
  return judgeTool({
    ...facts,
    causes: sendersText(senders),
    subject,
    approved,
    // Another agent of this session may still be at what was allowed; only the one that was asked
    // knows of a no.
    declined:
      turn?.asked.some(
        ({ call: id, agent }) =>
          id !== textOf(payload, 'tool_use_id') && agent === (textOf(payload, 'agent_id') ?? null),
      ) ?? false,
    covered: isCovered(call, turn?.granted ?? [], isInside),
    yes: meaningOf(gradeOf(call, isInside)),
    unaskable: turn?.unasked ? UNASKED : unaskable(call, here),
  })
}

/** The state, once the end of a call that the human may have allowed has had time to be told. */
function afterAnswer(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  state: SessionState,
): SessionState {
  return waitedFor(ports, who.name, state, (now, waited) => {
    const mayEnd = ({ call, ran }: Asked) =>
      call !== textOf(payload, 'tool_use_id') && waited < LATE_MS + (ran ? DIALOG_MS : 0)
    return turnIn(now, payload)?.asked.some(mayEnd) ?? false
  })
}
