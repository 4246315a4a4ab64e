import { record } from '../../bus/history.ts'
import { formatId } from '../../message/id.ts'
import { HUMAN } from '../../message/name.ts'
import { isGiven, readGiven } from '../../session/given.ts'
import { presentRings, settleRing } from '../../session/rings.ts'
import type { RingMark } from '../../session/ringsFile.ts'
import { lookAt, noteDone, unreadBut } from '../../session/ringsLook.ts'
import { readWitness } from '../../session/room.ts'
import { isAtWork, nextState, type SessionState, withoutQuestion } from '../../session/state.ts'
import { changeState, readState } from '../../session/stateFile.ts'
import { withTurn } from '../../session/subagents.ts'
import { type Cause, disowned, hasWord, type Turn, turnAfterPrompt } from '../../session/turn.ts'
import { promptKey } from '../../session/witness.ts'
import { hasWords, takeWords } from '../../session/words.ts'
import type { Processes } from '../../system/processes.ts'
import { parseMode } from '../../trust/sendGate/rules.ts'
import { seenKind } from '../../trust/turn/origins.ts'
import { wasQueued } from '../../trust/turn/record.ts'
import { promptCause, ringSenders } from '../../trust/turn/words.ts'
import { beginning } from '../beginning.ts'
import { unreadFact } from '../facts.ts'
import { closeQuestions, hasQuestions, namesNone, recordDisowned } from '../origin.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import { answersPermission } from '../permission.ts'
import type { HookPorts } from '../ports.ts'
import { answer, notice, type Reply, SILENT } from '../reply.ts'
import { stateEvent } from '../stateEvent.ts'
import { isSubagent } from './activity.ts'

/**
 * An idle agent takes a second to begin the turn that a native ring asks for, and some more where
 * the machine is busy. In milliseconds.
 */
const WAKING_MS = 10_000

/**
 * A turn begins, or somebody speaks in the middle of one: takes note of whose word it is. A ring
 * that a doorbell typed has been presented now, and the human is told whose message began the turn:
 * the host's dialogs for files have no room for it. Where the human speaks, one line tells of
 * messages that no doorbell has got through to the session yet.
 */
export function userPromptSubmit(ports: HookPorts, payload: Payload): Reply {
  if (isSubagent(payload)) return SILENT
  const who = participant(ports)
  if (!who) return SILENT
  if (who.worker) return beginGiven(ports, payload, who)
  const { tellsResults } = ports.agent?.hooks ?? {}
  if (tellsResults && !textOf(payload, 'prompt')) return SILENT
  const seen = seenIn(ports, payload, who)
  if (seen === 'foreign') return closeAtOnce(ports, payload, who)
  const known = causeOf(payload, who)
  const goesOn = tellsResults
    ? isAtWork(who.state?.activity)
    : seen !== undefined && seen !== 'person'
  const cause = known === 'human' && goesOn ? 'other' : known
  const own = cause === 'doorbell' && isOwnWord(ports, payload, who)
  noteTurn(ports, payload, who, { cause, own, scheduled: seen === 'schedule' })
  if (cause === 'doorbell') {
    presentTyped(ports, who)
    return tellBeginning(ports, payload, who)
  }
  if (cause === 'other') return SILENT
  if (isProof(ports, payload)) closeQuestions(ports, who)
  return tellUnpresented(ports, who)
}

/**
 * A worker's turn begins: its process has noted whose message it is. Any other prompt, also one
 * that comes in the middle of a turn, is nobody's word, and what follows is closed.
 */
function beginGiven(ports: HookPorts, payload: Payload, who: Participant): Reply {
  const given = readGiven(ports.bus().home, who.name)
  const known = given && isGiven(given, textOf(payload, 'prompt') ?? '') ? given : undefined
  const prompt = known ? payload : { ...payload, prompt_id: undefined }
  noteTurn(ports, prompt, who, { cause: 'doorbell', own: known?.own ?? false, at: known?.at })
  return SILENT
}

/** What the room inside the client saw this prompt come from. */
function seenIn(ports: HookPorts, payload: Payload, { agent }: Participant) {
  const { home, clock } = ports.bus()
  return seenKind(readWitness(home, agent), textOf(payload, 'prompt') ?? '', clock.now())
}

/**
 * Closes the turn at once that another program began, or what is left of one in whose middle it has
 * spoken; without the room, the host's record tells it before the next tool.
 */
function closeAtOnce(ports: HookPorts, payload: Payload, who: Participant): Reply {
  noteTurn(ports, payload, who, { cause: 'human', own: false, disown: true })
  recordDisowned(ports, who)
  return SILENT
}

function causeOf(payload: Payload, who: Participant): Cause {
  const prompt = textOf(payload, 'prompt') ?? ''
  const { state } = who
  return promptCause({
    prompt,
    source: textOf(payload, 'source'),
    scheduled: state?.scheduled ?? [],
    queued:
      isInside(payload, state) &&
      wasQueued(textOf(payload, 'transcript_path'), prompt, state?.turn?.at ?? ''),
  })
}

/** Whether the words came in the middle of the turn that is known. */
function isInside(payload: Payload, state: SessionState | undefined): boolean {
  return (
    state?.turn !== undefined &&
    state.turn.id !== null &&
    state.turn.id === textOf(payload, 'prompt_id')
  )
}

/**
 * Notes that a turn begins, or that somebody speaks in the middle of one: whose word it is. `at`:
 * when its message was given to a worker, whose next turn it always begins. `disown`: the prompt
 * looks like a human's and is nobody's.
 */
export function noteTurn(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  {
    cause,
    own,
    at,
    disown,
    scheduled,
  }: {
    cause: Cause
    own: boolean
    at?: string | undefined
    disown?: boolean
    scheduled?: boolean
  },
): void {
  const bus = ports.bus()
  const text = textOf(payload, 'prompt')
  // The record of Claude Code tells later whose the words are; nothing else tells it.
  const isSilent = text === undefined && cause !== 'human'
  const key = ports.agent || who.worker || isSilent ? undefined : promptKey(text ?? '')
  const event = stateEvent(ports, payload, who, 'prompted')
  const isProven = key === undefined || isProof(ports, payload)
  const isAsked = !isProven && hasQuestions(ports, who.name)
  changeState(bus, who.name, (before) => {
    const known = nextState(before, event) ?? before
    // An interrupted turn has left the session busy; what is told of that turn must not be taken
    // for this one.
    const next =
      known && !isInside(payload, before) ? { ...known, since: event.at, begun: event.at } : known
    const turn = turnAfterPrompt(next?.turn, {
      cause,
      own,
      id: textOf(payload, 'prompt_id') ?? null,
      at: at ?? event.at,
      busy: !who.worker && isAtWork(before?.activity),
      chain: formatId(bus.clock.micros(), HUMAN),
      ...(key !== undefined && {
        key,
        scheduled: scheduled || known?.scheduled?.includes(text?.trim() ?? '') === true,
      }),
    })
    const held = disown && turn ? disowned(withHeard(turn), turn.id ?? '') : turn
    const isYours = (cause === 'human' && !disown) || own
    const heard = next && isYours && isProven ? withoutQuestion(next) : next
    const waits = !isProven && !disown && (isAsked || next?.question !== undefined)
    const last = held && (waits ? mayAnswer(held, isInside(payload, before)) : held)
    return heard && (last ? withTurn(withSchedule(heard), last) : heard)
  })
}

/** Whether this hook alone tells that the user has spoken: no record will. */
function isProof(ports: HookPorts, payload: Payload): boolean {
  const id = textOf(payload, 'prompt_id')
  return ports.agent !== undefined || namesNone(id, textOf(payload, 'transcript_path'))
}

function mayAnswer(turn: Turn, isWords: boolean): Turn {
  return { ...turn, answers: isWords && turn.answers !== 'opening' ? 'words' : 'opening' }
}

/** The turn where it is known already whose the words are that came in its middle last. */
function withHeard({ heard, ...turn }: Turn): Turn {
  const last = heard?.at(-1)
  return heard && last ? { ...turn, heard: [...heard.slice(0, -1), { ...last, sure: true }] } : turn
}

/** The state with what the human has allowed in the turn of a schedule, for the next one. */
function withSchedule(state: SessionState): SessionState {
  const { turn, schedules } = state
  const { schedule, granted } = turn ?? {}
  if (!schedule || !granted || !schedules || !Object.hasOwn(schedules, schedule)) return state
  return { ...state, schedules: { ...schedules, [schedule]: granted } }
}

function presentTyped(ports: HookPorts, who: Participant): void {
  const bus = ports.bus()
  const wake = ports.agent?.wake
  const doorbell = wake === 'queue' || wake === 'input' ? wake : 'tmux'
  const ids = presentRings(bus, who.name, doorbell)
  if (ids.length > 0) record(bus, 'presented', { ids, to: who.name, doorbell })
}

/**
 * Whether a turn begins by nothing but what the human typed at a terminal of their own. A ring that
 * names another is about their message too, although it may have been read meanwhile.
 */
function isOwnWord(ports: HookPorts, payload: Payload, who: Participant): boolean {
  if (ports.env.AGENT_CHAT_HUMAN === 'ask' || isInside(payload, who.state)) return false
  if (ringSenders(textOf(payload, 'prompt') ?? '') !== `@${HUMAN}`) return false
  if (ports.agent?.ask === 'decision' && answersPermission(ports.bus().home, who.name)) return false
  // Where a record tells whether this is a ring, they are spent then.
  return ports.agent ? takeWords(ports.bus(), who.name) : hasWords(ports.bus().home, who.name)
}

function tellBeginning(ports: HookPorts, payload: Payload, who: Participant): Reply {
  const bus = ports.bus()
  const { turn, gate } = readState(bus.home, who.name) ?? {}
  const senders = ringSenders(textOf(payload, 'prompt') ?? '')
  const isOwn = turn?.opened === 'message' || turn?.claim === 'message'
  if (senders === '' || turn?.began !== 'doorbell' || parseMode(gate) === 'off') return SILENT
  return hasWord(turn) && !isOwn ? SILENT : notice(beginning(bus, who.name, senders, isOwn))
}

/** Where there is something to tell, it is looked at again: a bell may have told it meanwhile. */
function tellUnpresented(ports: HookPorts, who: Participant): Reply {
  const bus = ports.bus()
  const now = bus.clock.now()
  const isDone = (mark: RingMark) =>
    isPresented(mark, bus.processes) && !wasMissed(mark, who.state, now)
  const seen = lookAt(bus.home, who.name)
  if (unreadBut(seen, isDone).length === 0) {
    noteDone(bus, who.name, seen)
    return SILENT
  }
  const ids = unreadBut(lookAt(bus.home, who.name), isDone)
  if (ids.length === 0) return SILENT
  return {
    ...answer('UserPromptSubmit', { additionalContext: `agent-chat: ${unreadFact(ids)}` }),
    after: () => {
      settleRing(bus, who.name, 'prompt', ids, true)
      record(bus, 'presented', { ids, to: who.name, doorbell: 'prompt' })
    },
  }
}

/**
 * Whether a native ring never reached the agent: it has been idle since before that. A hook that is
 * killed between its note and its end, which is what wakes the agent, leaves such a mark; nobody
 * else can tell.
 */
function wasMissed(
  { by, presented }: RingMark,
  state: SessionState | undefined,
  now: number,
): boolean {
  if (by !== 'native' || presented === undefined || state?.activity !== 'idle') return false
  const at = Date.parse(presented)
  return Date.parse(state.since) < at && now - at > WAKING_MS
}

/**
 * Whether the agent has got it, or a hook is about to say it. A line that is being typed may never
 * be entered.
 */
function isPresented(
  { by, ringing, presented }: RingMark,
  processes: Pick<Processes, 'isAlive'>,
): boolean {
  return (
    presented !== undefined ||
    (by === 'native' && ringing !== undefined && processes.isAlive(ringing))
  )
}
