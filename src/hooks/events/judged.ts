import { OPEN_TURN } from '../../session/given.ts'
import { noteJudged, roomOf } from '../../session/room.ts'
import type { SessionState } from '../../session/state.ts'
import { noteEvent, readState } from '../../session/stateFile.ts'
import { type Asked, hasWord } from '../../session/turn.ts'
import { wordList } from '../../system/wordList.ts'
import { judgeAllowed, onlyRunsChecks } from '../../trust/allow/allows.ts'
import { approvedCauses, causesOf, sendersText } from '../../trust/sendGate/cause.ts'
import {
  judgeHarmless,
  judgeTool,
  parseMode,
  type ToolVerdict,
} from '../../trust/sendGate/rules.ts'
import { effectOfCall, servesTool, UNASKED, unaskable } from '../../trust/toolGate/call.ts'
import { gradeOf, isCovered, likeOf, meaningOf } from '../../trust/toolGate/grade.ts'
import { isListed, isStarter } from '../../trust/toolGate/table.ts'
import { noteUnlisted } from '../../trust/toolGate/unlisted.ts'
import { ANSWER_MS, toolOf, turnIn, waitedFor } from '../call.ts'
import { hereOf } from '../here.ts'
import { settle } from '../origin.ts'
import { gateOf, type Participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import { byDecision } from '../permission.ts'
import type { HookPorts } from '../ports.ts'
import { allowed, answer, notice, type Reply, SILENT } from '../reply.ts'
import { stateEvent } from '../stateEvent.ts'
import { nameAsker } from './question.ts'
import { noteCaller, noteStarting } from './subagent.ts'
import { noteAsked, noteChanged, noteStarts, noteVerdict } from './toolNotes.ts'

/**
 * The hook that tells of an approved call's end runs beside the agent, and may be this late. In
 * milliseconds.
 */
const LATE_MS = 600

/** `early`: the call does not run yet; it is told of again before it does. */
export type Found = { early?: boolean }

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
  { early = false }: Found,
): Reply {
  const isWorker = who?.worker || ports.env.AGENT_CHAT_WORKER
  const told = who && (who.state ?? (isWorker ? undefined : joinedNow(ports, payload, who)))
  const mode = parseMode(told?.gate)
  const state =
    who && told && !isWorker && mode !== 'off' ? settle(ports, payload, who, told) : told
  if (who && state && !early) {
    noteStarts(ports, payload, who)
    noteCaller(ports, payload, { ...who, state })
    const { name } = toolOf(payload)
    if (isStarter(name)) noteStarting(ports, payload, who)
    if (!isListed(name) && !wordList(ports.agent?.hooks?.changes ?? '').has(name))
      noteUnlisted(ports.bus().home, ports.agent?.name ?? 'claude', name)
  }
  if (isWorker) return workerCall(ports, payload, who)
  if (!who || !state) return SILENT
  if (mode === 'off' || hasWord(turnIn(state, payload))) return passed(ports, payload, who)
  if (toolOf(payload).name === 'AskUserQuestion' && !ports.agent)
    return nameAsker(ports, payload, who.name, turnIn(state, payload))
  const verdict = judge(ports, payload, who, afterAnswer(ports, payload, who, state))
  noteVerdict(ports, payload, who, verdict, mode)
  if (verdict.answer === 'pass')
    return early && ['human approval', 'allowed'].includes(verdict.rule)
      ? allowed(verdict.reason)
      : passed(ports, payload, who)
  if (mode === 'warn') return notice(`agent-chat would ask: ${verdict.reason}`)
  if (verdict.answer === 'ask' && ports.agent?.ask === 'decision')
    return decided(ports, payload, who, { state, early })
  if (verdict.answer === 'ask') noteAsked(ports, payload, who)
  const more = verdict.tell ? `. ${verdict.remedy}` : ''
  return answer('PreToolUse', {
    permissionDecision: verdict.answer,
    permissionDecisionReason: `agent-chat: ${verdict.reason}${more}`,
  })
}

function decided(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  { state, early }: { state: SessionState; early: boolean },
): Reply {
  const [call, here] = [toolOf(payload), hereOf(ports, payload, who)]
  const grade = gradeOf(call, here)
  return byDecision(ports, payload, {
    ...{ name: who.name, at: turnIn(state, payload)?.at, early },
    ...{ grade, like: grade && likeOf(grade), changes: !onlyRunsChecks(call, here) },
  })
}

/** A session that was joined a moment ago, of which no hook has told yet. */
function joinedNow(ports: HookPorts, payload: Payload, who: Participant): SessionState | undefined {
  if (ports.agent) return undefined
  // Whether it listens to its bell by then, the hook of the join says.
  const event = stateEvent(ports, payload, who, 'joined')
  return noteEvent(ports.bus(), who.name, { ...event, gate: gateOf(ports, who) })
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
  const elsewhere = turn?.at !== state.turn?.at
  const facts = {
    mode: parseMode(state.gate),
    turn: turn === undefined ? 'unknown' : hasWord(turn) ? 'open' : 'closed',
    effect: effectOfCall(call, here, elsewhere),
  } as const
  // Most calls pass by these facts alone; the others need files to be read.
  const harmless = judgeHarmless(facts)
  if (harmless) return harmless
  const around = { ...here, elsewhere }
  const standing = judgeAllowed(
    call,
    { ...around, changed: turn?.changed === true },
    ports.bus().home,
  )
  const { senders, subject, approved } = approvedCauses(ports.bus(), who.name, turn)
  const covered = isCovered(call, turn?.granted ?? [], around)
  // What runs in spite of the list's silence changes things too, and so may a part of it.
  const runs = approved || (covered && !onlyRunsChecks(call, around))
  const passesChanged = standing.passes ? standing.changes : runs
  if (passesChanged && !turn?.changed) noteChanged(ports, payload, who)
  return judgeTool({
    ...facts,
    allowed: standing.passes,
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
    covered,
    yes: meaningOf(gradeOf(call, around)),
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
      call !== textOf(payload, 'tool_use_id') && waited < LATE_MS + (ran ? ANSWER_MS : 0)
    return turnIn(now, payload)?.asked.some(mayEnd) ?? false
  })
}
