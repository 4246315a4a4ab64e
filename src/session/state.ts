import { type ProcessRef, sameProcess } from '../system/processes.ts'
import type { Grade, Starting, SubagentCall, Turn } from './turn.ts'

/** What a session is doing: `asking` = a permission or question dialog is open. */
export type Activity = 'idle' | 'busy' | 'asking' | 'gone'

/** The hooks' knowledge of a session, which ends with the process `agent` that told it. */
export type SessionState = {
  activity: Activity
  /** When the activity began (ISO 8601). */
  since: string
  /**
   * When the turn that is under way began, as far as hooks have seen (ISO 8601). `since` may be later
   * than the end of that turn: a hook may note a dialog that the user has closed.
   */
  begun?: string
  /** Claude Code's own id of the conversation; `/clear` changes it, the session stays. */
  session_id: string | null
  agent: ProcessRef | null
  /** Whether the agent listens to the session's bell by itself. */
  native: boolean
  /** Whether its input box is vim's. */
  vim: boolean
  /** `AGENT_CHAT_GATE` of the agent itself: a command that it runs cannot say otherwise. */
  gate: string
  /** The plugin's folder whose hooks told, for an agent that names it. */
  plugin?: string
  /** Where Claude Code keeps its own record of the last conversations, the newest first. */
  transcripts?: string[]
  turn?: Turn
  /** What the dialog that is open asks, where that is known. */
  wants?: string
  /** The question to the person that a turn ended with, until they speak; `at`: ISO 8601. */
  question?: { text: string; at: string }
  /** How the last turn failed, until one ends well. */
  failed?: Failed
  /** When a turn last ended well (ISO 8601). */
  well?: string
  /** Earlier turns whose subagents may go on, the newest first. */
  past?: Turn[]
  /** Calls that are about to start a subagent. */
  starting?: Starting[]
  /** Calls of subagents that are under way. */
  calls?: SubagentCall[]
  /** Prompts that the agent has scheduled for itself. */
  scheduled?: string[]
  /** What your yeses let pass when these fire, of the schedules of your turns, by their words' key. */
  schedules?: Record<string, Grade[]>
  /** Calls of your turns that have started a task beside them. */
  tasks?: string[]
}

/** How the last turn failed, and when (ISO 8601); `times`: so many have, one after the other. */
export type Failed = { error: string; at: string; times: number }

/** Something that a hook saw, with the process and conversation that it saw it in. */
export type StateEvent = {
  kind:
    | 'started'
    | 'joined'
    | 'compacted'
    | 'prompted'
    | 'asked'
    | 'rested'
    | 'worked'
    | 'stopped'
    | 'ended'
  at: string
  session_id: string | null
  agent: ProcessRef | null
  native?: boolean
  vim?: boolean
  gate?: string
  plugin?: string | undefined
  transcript?: string | undefined
}

/** The state after a turn whose last words are known, and the question in them, if there is one. */
export function withQuestion(
  state: SessionState,
  text: string | undefined,
  at: string,
): SessionState {
  return text === undefined ? state : { ...state, question: { text, at } }
}

/** The state of a session whose dialog asks this. */
export function withWanted(state: SessionState, wants: string): SessionState {
  return { ...state, wants }
}

/** The state once the person has spoken: what the agent asked them is no longer open. */
export function withoutQuestion({ question: _, ...state }: SessionState): SessionState {
  return state
}

/** The state after the end of a turn: how it failed, undefined where it ended well. */
export function withFailure(
  { failed, ...state }: SessionState,
  error: string | undefined,
  at: string,
): SessionState {
  if (error === undefined) return { ...state, well: at }
  return { ...state, failed: { error, at, times: (failed?.times ?? 0) + 1 } }
}

/**
 * When the last turn of a session ended, where it has done nothing since: it ended well and asks
 * nothing of the person (ISO 8601). Undefined of a session that has had no turn yet, and after /clear.
 */
export function finishedAt(state: SessionState): string | undefined {
  const { activity, since, question, failed, well } = state
  if (activity !== 'idle' || question || failed || well === undefined) return undefined
  return Date.parse(well) >= Date.parse(since) ? well : undefined
}

/** What of a state can put a session on the list of who needs the person, or take it off. */
export function needsPerson(state: SessionState | undefined): string {
  if (state === undefined || state.activity === 'gone') return 'not there'
  return `${state.activity === 'asking' ? 'asking' : ''} ${state.question?.at ?? ''}`
}

/** So many conversations of a session are known, and no longer path. */
const TRANSCRIPTS = 8
const MAX_PATH = 4096

/** The state after an event; undefined where the event changes nothing. */
export function nextState(
  state: SessionState | undefined,
  event: StateEvent,
): SessionState | undefined {
  const activity = nextActivity(
    sameProcess(state?.agent, event.agent) ? state?.activity : undefined,
    event.kind,
  )
  if (activity === undefined) return undefined
  const plugin = event.plugin ?? state?.plugin
  const next: SessionState = {
    activity,
    since:
      state && state.activity === activity && event.kind !== 'started' ? state.since : event.at,
    ...(isAtWork(activity) && { begun: begunOf(state, event) }),
    ...(activity === 'asking' && state?.wants && { wants: state.wants }),
    session_id: event.session_id ?? state?.session_id ?? null,
    agent: event.agent ?? state?.agent ?? null,
    native: event.native ?? state?.native ?? false,
    vim: event.vim ?? state?.vim ?? false,
    gate: event.gate ?? state?.gate ?? 'enforce',
    ...(plugin && { plugin }),
    ...transcriptsOf(state?.transcripts, event.transcript),
    // A new agent has had no turn yet; /clear and compaction do not end whose turn it is.
    ...(state && sameProcess(state.agent, event.agent) ? kept(state) : {}),
    ...(state?.question && isSameConversation(state, event) && { question: state.question }),
  }
  return state && sameState(state, next) ? undefined : next
}

/** Whether a turn is under way. */
export function isAtWork(activity: Activity | undefined): boolean {
  return activity === 'busy' || activity === 'asking'
}

/** When the turn that is under way began (ISO 8601). Version 1.0.0 and earlier noted no such time. */
export function turnBegan({ begun, since }: SessionState): string {
  return begun ?? since
}

function begunOf(state: SessionState | undefined, { agent, at }: StateEvent): string {
  const goesOn = state && sameProcess(state.agent, agent) && isAtWork(state.activity)
  return goesOn ? turnBegan(state) : at
}

/** `/clear` and a new agent forget what was asked. */
function isSameConversation(state: SessionState, event: StateEvent): boolean {
  return (
    sameProcess(state.agent, event.agent) &&
    event.kind !== 'ended' &&
    (event.session_id === null || event.session_id === state.session_id)
  )
}

/** What an agent keeps from one event to the next. */
function kept(state: SessionState): Partial<SessionState> {
  const { turn, failed, well, past, starting, calls, scheduled, schedules, tasks } = state
  return {
    ...(turn && { turn }),
    ...(failed && { failed }),
    ...(well && { well }),
    ...(past && { past }),
    ...(starting && { starting }),
    ...(calls && { calls }),
    ...(scheduled && { scheduled }),
    ...(schedules && { schedules }),
    ...(tasks && { tasks }),
  }
}

function transcriptsOf(
  known: string[] | undefined,
  path: string | undefined,
): Pick<SessionState, 'transcripts'> {
  if (path === undefined || path.length > MAX_PATH) return known ? { transcripts: known } : {}
  const others = known?.filter((other) => other !== path) ?? []
  return { transcripts: [path, ...others].slice(0, TRANSCRIPTS) }
}

function nextActivity(now: Activity | undefined, kind: StateEvent['kind']): Activity | undefined {
  switch (kind) {
    case 'started':
    case 'stopped':
    case 'rested':
      return 'idle'
    case 'prompted':
      return 'busy'
    case 'asked':
      return 'asking'
    // Compaction happens in the middle of a turn as well as between turns.
    case 'compacted':
      return now ?? 'idle'
    // This hook runs beside the agent: it may come after the end of the turn, and must not undo
    // that.
    case 'worked':
      return now === 'asking' ? 'busy' : now
    // A command of the agent's own joins, so a turn is under way, unless it ended before the hook
    // came.
    case 'joined':
      return now ?? 'busy'
    case 'ended':
      return 'gone'
  }
}

function sameState(a: SessionState, b: SessionState): boolean {
  return (
    JSON.stringify({ ...a, since: '' }) === JSON.stringify({ ...b, since: '' }) &&
    a.since === b.since
  )
}
