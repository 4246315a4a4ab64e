/** `other` is nobody's word: a background task, a scheduled wake-up, a message of the host's. */
export type Cause = 'human' | 'doorbell' | 'other'

/** The turn that a session is in, or was in last. */
export type Turn = {
  /** The host's id of the prompt that began it. */
  id: string | null
  began: Cause
  /** ISO 8601. Messages read since then are what it is about. */
  at: string
  /** How the human opened it, if it was not theirs from the beginning. */
  opened: 'prompt' | 'approval' | null
  /** The chain that a human's word in this turn has begun. */
  chain: string | null
  /** Pieces of work since the turn began, or since the last message that was sent in it. */
  work: number
  /** The tool call that was put to the human and has not run yet. */
  asked: { call: string; agent: string | null; at: string } | null
  /** A prompt of nobody's in this turn: its origin need not be looked up in the host's record. */
  checked?: string
}

export type PromptEvent = {
  cause: Cause
  /** The host's id of the prompt, the running turn's own for one that came in the middle of it. */
  id: string | null
  at: string
  /** Whether the session was at work already. */
  busy: boolean
  /** A new chain, should this be a human's word. */
  chain: string
}

/** The turn after a prompt. Only a human's word changes the turn that is under way. */
export function turnAfterPrompt(turn: Turn | undefined, prompt: PromptEvent): Turn | undefined {
  const inside = turn !== undefined && (prompt.id === null ? prompt.busy : prompt.id === turn.id)
  if (prompt.cause === 'human') {
    return inside
      ? { ...turn, opened: turn.began === 'human' ? turn.opened : 'prompt', chain: prompt.chain }
      : { ...fresh(prompt), began: 'human', chain: prompt.chain }
  }
  if (inside) return turn
  if (prompt.cause === 'doorbell') return { ...fresh(prompt), began: 'doorbell', chain: null }
  // Nobody's word: neither opens what a doorbell left closed, nor closes what a human left open.
  if (turn === undefined) return { ...fresh(prompt), began: 'other', chain: null }
  return { ...turn, id: prompt.id, ...(prompt.id === null ? {} : { checked: prompt.id }) }
}

/** The turn after its prompt has turned out to be nobody's. Its messages stay its causes. */
export function disowned(turn: Turn, id: string): Turn {
  return { ...fresh({ id, at: turn.at }), began: 'other', chain: null, checked: id }
}

/** Whether the human has a word in this turn. A session of which no turn is known is not judged. */
export function isOpen(turn: Turn | undefined): boolean {
  return turn === undefined || turn.began === 'human' || turn.opened !== null
}

/** `closed`: no human has a word in the turn. `unknown`: no hook tells of turns. */
export type Openness = 'open' | 'closed' | 'unknown'

export function openness(turn: Turn | undefined): Openness {
  if (turn === undefined) return 'unknown'
  return isOpen(turn) ? 'open' : 'closed'
}

function fresh(prompt: Pick<PromptEvent, 'id' | 'at'>): Omit<Turn, 'began' | 'chain'> {
  return { id: prompt.id, at: prompt.at, opened: null, work: 0, asked: null }
}
