import type { SessionState } from './state.ts'
import { hasWord, type Starting, type Turn } from './turn.ts'

/** More than a session has at once. */
const MAX_TURNS = 20
const MAX_AGENTS = 200
const MAX_STARTING = 50

/** Nothing waits longer to begin: a call that was refused is told to nobody. In milliseconds. */
const STARTING_MS = 10 * 60_000

/**
 * The turn that a call belongs to: the session's own, or that in which its subagent was born. A
 * subagent of whose birth nothing was told counts as a closed turn's, where one has started any.
 */
export function turnOf(state: SessionState, agent: string | undefined): Turn | undefined {
  if (agent === undefined || state.turn === undefined) return state.turn
  const turns = turnsOf(state)
  return bornIn(turns, agent) ?? turns.find((turn) => turn.agents && !hasWord(turn)) ?? state.turn
}

/** The state with another turn. One that ends is kept while its subagents may go on. */
export function withTurn(state: SessionState, turn: Turn): SessionState {
  const { turn: last, past = [], starting = [], ...rest } = state
  if (last === undefined || last.at === turn.at) return { ...state, turn }
  const ended = last.agents === undefined ? past : [{ ...last, until: turn.at }, ...past]
  const going = starting.filter(({ agent }) => agent !== null)
  return {
    ...rest,
    turn,
    ...(ended.length > 0 ? { past: bounded(ended) } : {}),
    ...(going.length > 0 ? { starting: going } : {}),
  }
}

/** The state with one of its turns changed. */
export function changeTurn(
  state: SessionState,
  at: string | undefined,
  change: (turn: Turn) => Turn,
): SessionState {
  if (state.turn && state.turn.at === at) return { ...state, turn: change(state.turn) }
  if (!state.past?.some((turn) => turn.at === at)) return state
  return { ...state, past: state.past.map((turn) => (turn.at === at ? change(turn) : turn)) }
}

/**
 * The state once the host has opened a dialog. It does not tell for which of the calls that wait.
 */
export function withShown(state: SessionState): SessionState {
  const isWaiting = (turn: Turn) => turn.asked.some(({ shown }) => !shown)
  return turnsOf(state)
    .filter(isWaiting)
    .reduce(
      (now, { at }) =>
        changeTurn(now, at, (turn) => ({
          ...turn,
          asked: turn.asked.map((one) => ({ ...one, shown: true })),
        })),
      state,
    )
}

/** The state once a call may start a subagent, which is then of the caller's turn. */
export function withStarting(
  state: SessionState,
  { call, agent, at }: Pick<Starting, 'call' | 'agent' | 'at'>,
): SessionState {
  const turn = turnOf(state, agent ?? undefined)
  if (turn === undefined) return state
  const next = changeTurn(state, turn.at, (one) => ({ ...one, agents: one.agents ?? [] }))
  const others = startingNow(state, at).filter((one) => one.call !== call)
  const starting = [...others, { call, agent, turn: turn.at, at, born: [] }]
  return { ...next, starting: starting.slice(-MAX_STARTING) }
}

/**
 * The state once a subagent begins, or goes on after a rest. The host does not tell who started it:
 * while calls of several turns may have, it is a closed one's. One of a closed turn stays there.
 */
export function withBorn(state: SessionState, id: string, at: string): SessionState {
  const turns = turnsOf(state)
  const known = bornIn(turns, id)
  if (state.turn === undefined || (known && !hasWord(known))) return state
  const starting = startingNow(state, at)
  const callers = starting.flatMap((call) => turns.filter((turn) => turn.at === call.turn))
  const turn = callers.find((one) => !hasWord(one)) ?? known ?? callers.at(-1) ?? state.turn
  const noted = known
    ? starting
    : starting.map((call) => ({ ...call, born: [...call.born, id].slice(-MAX_AGENTS) }))
  return withAgent({ ...state, ...(noted.length > 0 ? { starting: noted } : {}) }, turn.at, id)
}

/**
 * The state once a call has started what it starts. `id`: the subagent, where the host tells it.
 */
export function withStarted(
  state: SessionState,
  call: string | undefined,
  id: string | undefined,
): SessionState {
  const started = state.starting?.find((one) => one.call === call)
  if (started === undefined) return state
  const next = { ...state, starting: state.starting?.filter((one) => one !== started) ?? [] }
  return id !== undefined && started.born.includes(id) ? withAgent(next, started.turn, id) : next
}

function turnsOf({ turn, past = [] }: SessionState): Turn[] {
  return turn ? [turn, ...past] : past
}

function bornIn(turns: Turn[], agent: string): Turn | undefined {
  return turns.find(({ agents }) => agents?.includes(agent))
}

function startingNow({ starting = [] }: SessionState, now: string): Starting[] {
  return starting.filter(({ at }) => Date.parse(at) > Date.parse(now) - STARTING_MS)
}

function withAgent(state: SessionState, at: string, id: string): SessionState {
  const without = turnsOf(state)
    .filter(({ agents }) => agents?.includes(id))
    .reduce(
      (now, { at: of }) =>
        changeTurn(now, of, (turn) => ({
          ...turn,
          agents: (turn.agents ?? []).filter((one) => one !== id),
        })),
      state,
    )
  return changeTurn(without, at, (turn) => ({
    ...turn,
    agents: [...(turn.agents ?? []), id].slice(-MAX_AGENTS),
  }))
}

/** The turns that are kept: of too many, the oldest with the human's word goes first. */
function bounded(turns: Turn[]): Turn[] {
  if (turns.length <= MAX_TURNS) return turns
  const oldest = turns.findLastIndex(hasWord)
  const gone = oldest < 0 ? turns.length - 1 : oldest
  return turns.filter((_, index) => index !== gone)
}
