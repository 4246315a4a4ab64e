/** `other` is nobody's word: a background task, a scheduled wake-up, a message of the host's. */
export type Cause = 'human' | 'doorbell' | 'other'

/** What a yes lets pass for the rest of a turn, beyond the call that it was given to. */
export type Grade = 'edits' | 'commands' | `mcp:${string}`

/**
 * A call that was put to the human. `grade`: what a yes to it would let pass; `shown`: the host has
 * opened a dialog since; `ran`: it has run, and no dialog has been told of yet.
 */
export type Asked = {
  call: string
  agent: string | null
  at: string
  grade?: Grade
  shown?: true
  ran?: true
}

/** The turn that a session is in, or was in last. */
export type Turn = {
  /** The host's id of the prompt that began it. */
  id: string | null
  began: Cause
  /** ISO 8601. Messages read since then are what it is about. Names the turn among the others. */
  at: string
  /** When the next turn began, of a turn whose subagents go on. */
  until?: string
  /**
   * How the human opened it, if it was not theirs from the beginning: in it, or with its message.
   */
  opened: 'prompt' | 'message' | null
  /** What the human's yeses in it let pass. */
  granted?: Grade[]
  /** The chain that a human's word in this turn has begun. */
  chain: string | null
  /** Pieces of work since the turn began, or since the last message that was sent in it. */
  work: number
  /** A call has run that was to be asked about, and nobody was: questions reach no human here. */
  unasked?: true
  /** The calls that wait for the human's yes, one an agent. */
  asked: Asked[]
  /** The subagents that were born in it. There is a list as soon as one may have been. */
  agents?: string[]
  /** A prompt of nobody's in this turn: its origin need not be looked up in the host's record. */
  checked?: string
}

/**
 * A call that may start a subagent, made by `agent` (null: the session itself) in the turn that
 * began at `turn`; `born`: the subagents that have begun since.
 */
export type Starting = {
  call: string
  agent: string | null
  turn: string
  at: string
  born: string[]
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
  /** Whether a doorbell's messages are all of them the human's own word. */
  own?: boolean
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
  if (prompt.cause === 'doorbell') {
    const word = prompt.own ? { opened: 'message' as const, chain: prompt.chain } : { chain: null }
    return { ...fresh(prompt), began: 'doorbell', ...word }
  }
  // Nobody's word: neither opens what a doorbell left closed, nor closes what a human left open.
  if (turn === undefined) return { ...fresh(prompt), began: 'other', chain: null }
  return { ...turn, id: prompt.id, ...(prompt.id === null ? {} : { checked: prompt.id }) }
}

/** The turn after its prompt has turned out to be nobody's. Its messages stay its causes. */
export function disowned(turn: Turn, id: string): Turn {
  const born = turn.agents === undefined ? {} : { agents: turn.agents }
  return { ...fresh({ id, at: turn.at }), began: 'other', chain: null, checked: id, ...born }
}

/** Whether the human has a word in this turn. A session of which no turn is known is not judged. */
export function hasWord(turn: Turn | undefined): boolean {
  return turn === undefined || turn.began === 'human' || (turn.opened ?? null) !== null
}

/**
 * Whether a message may be sent freely in this turn: that is a command, and the human lets commands
 * go on.
 */
export function isOpen(turn: Turn | undefined): boolean {
  return hasWord(turn) || turn?.granted?.includes('commands') === true
}

/** `closed`: no human lets messages go on in the turn. `unknown`: no hook tells of turns. */
export type Openness = 'open' | 'closed' | 'unknown'

export function openness(turn: Turn | undefined): Openness {
  if (turn === undefined) return 'unknown'
  return isOpen(turn) ? 'open' : 'closed'
}

function fresh(prompt: Pick<PromptEvent, 'id' | 'at'>): Omit<Turn, 'began' | 'chain'> {
  return { id: prompt.id, at: prompt.at, opened: null, work: 0, asked: [] }
}
