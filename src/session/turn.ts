/** `other` is nobody's word: a background task, a scheduled wake-up, a message of the host's. */
export type Cause = 'human' | 'doorbell' | 'other'

/**
 * What a yes lets pass for the rest of a turn, beyond the call that it was given to. `all` is
 * everything else in the turn, where the human chose that; `commands` is from a version whose yes
 * to a command was for every other one. `command:` has a digest behind it, and the like in words.
 */
export type Grade = 'all' | 'edits' | 'commands' | `command:${string}` | `mcp:${string}`

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
  /** Something was put to the human in it, or has run, that may have changed what a command does. */
  changed?: true
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
  /** The prompt whose origin was looked up in the client's record: it need not be again. */
  checked?: string
  /**
   * What the client's record has yet to show of a turn that is closed, or would be: that its ring is
   * for your own message, that the client goes on with its own work, or that a schedule has fired.
   * A turn that began with your words needs no such mark: it has to be shown, too.
   */
  claim?: 'message' | 'client' | 'schedule'
  /** The prompt's words, by their key, where an agent has scheduled them. */
  schedule?: string
  /** The user had a word in the turn before: it is still theirs where the client just goes on. */
  was?: true
  /** The prompt of that turn: another may have spoken in its middle since the last call in it. */
  last?: string
  /**
   * The prompts before this one, the last one first, that the record had not told of when the next
   * one came: the turn that `was` the user's is the one before them. They leave nothing to this turn
   * that the record does not show.
   */
  after?: string[]
  /**
   * Something waits for the user, whom the prompt of this turn may have been, or words in its
   * middle: it is answered once the client's record has told that they have spoken.
   */
  answers?: 'opening' | 'words'
  /** How far the client's record was read for words in the middle of it, since this prompt. */
  read?: { prompt: string; ino: number; at: number }
  /** Words that came in the middle of it, by their key; `sure` once the record has told whose. */
  heard?: Heard[]
}

/** `at`: when their hook ran (ISO 8601). */
export type Heard = { key: string; at: string; sure?: true }

/** Of words in the middle of a turn so many are known. */
const MAX_HEARD = 50
/** So many prompts in a row may pass without a call that had their origin looked up. */
const MAX_AFTER = 20

/**
 * A call that a subagent makes: `agent` is its id, `type` what it is called. `key` stands for the
 * command that the call runs, where it runs one.
 */
export type SubagentCall = { call: string; agent: string; type?: string; key?: string }

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
  /**
   * The key of its words, where the agent keeps a record that will tell whose they are: until it
   * has, nothing is settled.
   */
  key?: string
  /** Whether the agent has scheduled these very words. */
  scheduled?: boolean
}

/** The turn after a prompt. Only a human's word changes the turn that is under way. */
export function turnAfterPrompt(turn: Turn | undefined, prompt: PromptEvent): Turn | undefined {
  const inside = turn !== undefined && (prompt.id === null ? prompt.busy : prompt.id === turn.id)
  if (inside) return afterWords(turn, prompt)
  const { key } = prompt
  const left = key !== undefined && turn ? leftBy(turn) : {}
  if (prompt.cause === 'human')
    return { ...fresh(prompt), began: 'human', chain: prompt.chain, ...left }
  if (prompt.cause === 'doorbell') {
    const word =
      key === undefined
        ? { opened: 'message' as const, chain: prompt.chain }
        : { claim: 'message' as const }
    return { ...fresh(prompt), began: 'doorbell', chain: null, ...(prompt.own ? word : {}) }
  }
  if (key !== undefined && prompt.scheduled)
    return { ...fresh(prompt), began: 'other', chain: null, claim: 'schedule', schedule: key }
  // Nobody's word: neither opens what a doorbell left closed, nor closes what a human left open.
  const claim = key === undefined ? {} : { claim: 'client' as const }
  if (turn === undefined) return { ...fresh(prompt), began: 'other', chain: null, ...claim }
  const { checked: _, claim: __, heard: ___, was: ____, last: _____, after: ______, ...kept } = turn
  if (key !== undefined) return { ...kept, id: prompt.id, ...claim, ...left }
  return { ...kept, id: prompt.id, ...(prompt.id === null ? {} : { checked: prompt.id }) }
}

/** What a turn leaves to the next prompt, should the client just go on with it. */
export function leftBy(turn: Turn): Pick<Turn, 'was' | 'last' | 'after'> {
  const isProven = turn.checked === turn.id && !turn.heard?.some(({ sure }) => !sure)
  if (!hasWord(turn)) return {}
  if (isProven) return { was: true, ...(turn.id && { last: turn.id }) }
  const { was, last, after = [] } = turn
  // What was before so many is not known.
  const base = was && after.length < MAX_AFTER ? { was, ...(last && { last }) } : {}
  return { ...base, after: [turn.id ?? '', ...after].slice(0, MAX_AFTER) }
}

/** Words in the middle of a turn. */
function afterWords(turn: Turn, { cause, key, at, chain }: PromptEvent): Turn {
  const heard =
    key === undefined ? {} : { heard: [...(turn.heard ?? []), { key, at }].slice(-MAX_HEARD) }
  if (cause !== 'human') return { ...turn, ...heard }
  return { ...turn, opened: turn.began === 'human' ? turn.opened : 'prompt', chain, ...heard }
}

/** The turn after its prompt has turned out to be nobody's. Its messages stay its causes. */
export function disowned(turn: Turn, id: string): Turn {
  const born = turn.agents === undefined ? {} : { agents: turn.agents }
  // Of these the user's own may open it again.
  const heard = turn.heard && turn.id === id ? { heard: turn.heard } : {}
  return {
    ...fresh({ id, at: turn.at }),
    began: 'other',
    chain: null,
    checked: id,
    changed: true,
    ...born,
    ...heard,
  }
}

/** Whether the human has a word in this turn. A session of which no turn is known is not judged. */
export function hasWord(turn: Turn | undefined): boolean {
  return turn === undefined || turn.began === 'human' || (turn.opened ?? null) !== null
}

/**
 * Whether a message may be sent freely in this turn: the human lets everything in it go on. A yes to
 * one command is none to messages.
 */
export function isOpen(turn: Turn | undefined): boolean {
  const granted = turn?.granted ?? []
  return hasWord(turn) || granted.includes('all') || granted.includes('commands')
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
