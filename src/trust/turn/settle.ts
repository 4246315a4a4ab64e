import type { SessionState } from '../../session/state.ts'
import { disowned, type Heard, hasWord, leftBy, type Turn } from '../../session/turn.ts'
import { promptKey } from '../../session/witness.ts'
import { kindOf, type Origin, originOf } from './origins.ts'
import type { Spoken, Told } from './record.ts'
import type { Read } from './recordFile.ts'

/**
 * Whether a turn has something to lose or to win by what the record tells of the prompt `id`. A
 * closed turn with nothing claimed has not: the record opens none.
 */
export function isDue(turn: Turn | undefined, id: string | undefined): boolean {
  if (turn === undefined || turn.claim || turn.answers || isUnsure(turn)) return true
  if (turn.checked !== undefined && turn.checked === id) return false
  if (id === undefined || id !== turn.id) return mayLose(turn)
  return turn.began === 'human'
}

function isUnsure({ heard }: Turn): boolean {
  return heard?.some(({ sure }) => !sure) ?? false
}

/** Whether words of another in the middle of a turn would take something from it. */
export function mayLose(turn: Turn): boolean {
  return hasWord(turn) || (turn.granted?.length ?? 0) > 0
}

/** What settles a turn. `words`: spends the user's own message, or says that there is none. */
export type Proof = {
  id: string
  told: Told | undefined
  /** What the record tells of an earlier prompt. */
  earlier: (id: string) => Told | undefined
  /** The words in the middle that it shows since the turn's last look at it; none before the first. */
  since: (turn: Turn | undefined) => Shown | undefined
  /** The end of a record that tells nothing. */
  end: () => Read | undefined
  state: Pick<SessionState, 'tasks' | 'schedules'>
  words: () => boolean
  /** A new chain, and now (ISO 8601). */
  chain: string
  at: string
}

export type Shown = { words: Spoken[]; end: Read; isFar: boolean }

/** The turn, now that the record has told of its prompt, or has not in all the time that it had. */
export function settledTurn(turn: Turn | undefined, proof: Proof): Turn {
  const { id, told } = proof
  const began = afterOpening(turn, proof)
  const heard = isUnsure(began) ? judged(began.heard ?? [], proof) : []
  const now = heard.length > 0 ? afterHeard(began, heard) : began
  const yours = heard.filter(({ origin }) => origin === 'you').map(({ one }) => one.key)
  const shown = proof.since(turn) ?? (told && { words: told.inside, end: told.end, isFar: true })
  const isClosed = mayLose(now) && (shown === undefined || isSpokenOver(shown.words, proof, yours))
  const next = withoutAnswers(isClosed ? disowned(now, id) : now, turn, proof)
  if (next === turn && shown?.isFar === false) return turn
  const end = shown?.end ?? proof.end()
  return end ? { ...next, read: { prompt: id, ...end } } : next
}

/** Words of the user's that the agent has not taken up yet may still answer what waits for them. */
function withoutAnswers(next: Turn, before: Turn | undefined, proof: Proof): Turn {
  const { answers: _, ...turn } = next
  if (!before?.answers) return next
  return isUnsure(next) && !hasSpoken(before, proof) ? { ...turn, answers: 'words' } : turn
}

/** Whether the user has spoken in a turn since something waits for them. */
export function hasSpoken(
  { answers, heard = [], id }: Turn,
  proof: Pick<Proof, 'id' | 'told' | 'state'>,
): boolean {
  if (!answers) return false
  const isIt = answers === 'opening' ? id === proof.id : id !== proof.id
  if (isIt && openingOf(proof.told, proof.state) === 'you') return true
  return judged(heard, proof).some(({ origin }) => origin === 'you')
}

/**
 * Whether another has spoken in the middle of a turn after the user's last words in it. `yours`: the
 * keys of words that are the user's where the record does not say whose they are.
 */
export function isSpokenOver(
  words: Spoken[],
  proof: Pick<Proof, 'state'>,
  yours: readonly string[] = [],
): boolean {
  const left = [...yours]
  const origins = words.map((one) => {
    const origin = originIn(one, proof)
    const at = origin === 'unknown' ? left.indexOf(promptKey(one.text)) : -1
    return at < 0 ? origin : left.splice(at, 1) && 'you'
  })
  return origins.slice(origins.lastIndexOf('you') + 1).some(isForeign)
}

/** Whose the prompt of a turn was. Of words that joined it, nobody's count more than the user's. */
export function openingOf(
  told: Told | undefined,
  { tasks = [] }: Pick<SessionState, 'tasks'>,
): Origin {
  if (told === undefined) return 'unknown'
  const isYours = (call: string) => tasks.includes(call)
  const [origin = 'unknown', ...others] = [told.opening, ...told.joined].map((one) =>
    originOf({ ...one, isYours }),
  )
  return others.find(isForeign) ?? origin
}

function afterOpening(turn: Turn | undefined, proof: Proof): Turn {
  const { id, told, at, chain } = proof
  const origin = openingOf(told, proof.state)
  const open: Turn = {
    ...{ id, at: turn?.at ?? at, opened: null, work: 0, asked: [] },
    ...{ began: 'human', chain, checked: id },
  }
  // It was joined in the middle of this turn.
  if (turn === undefined) {
    const isOpen = origin === 'you' && !told?.inside.some((one) => isStranger(one, proof))
    return isOpen ? open : disowned(open, id)
  }
  if (turn.checked === id && !turn.claim) return turn
  const { claim, schedule, was: _, last, after, ...rest } = turn
  // Of this prompt no hook has told, or it told of it at the end of the turn before.
  if (id !== turn.id) {
    const { heard, ...other } = turn
    const key = promptKey(told?.opening.text ?? '')
    if (origin === 'you' && heard?.some((one) => one.key === key)) return { ...open, at }
    const isKept = origin === 'client' ? isLent(leftBy(turn), proof) : origin === 'you'
    return isKept && hasWord(turn) ? { ...other, checked: id } : disowned(turn, id)
  }
  if (origin === 'you' && (claim === 'client' || claim === 'schedule'))
    return { ...open, ...bornIn(turn) }
  switch (claim) {
    case 'message':
      return origin === 'message' && proof.words()
        ? { ...rest, opened: 'message', chain, checked: id }
        : { ...rest, checked: id }
    case 'schedule': {
      const granted = proof.state.schedules?.[schedule ?? ''] ?? []
      const isIt = kindOf(told?.opening.said) === 'schedule' && told?.joined.length === 0
      return {
        ...{ ...rest, checked: id },
        ...(isIt && schedule ? { schedule } : {}),
        ...(isIt && granted.length > 0 ? { granted } : {}),
      }
    }
    case 'client':
      return origin === 'client' && (!(after || last) || isLent(turn, proof))
        ? { ...rest, checked: id }
        : disowned(rest, id)
    default:
      if (turn.began !== 'human') return turn
      return origin === 'you' || (origin === 'client' && isLent(turn, proof))
        ? { ...rest, checked: id }
        : disowned(turn, id)
  }
}

/**
 * Whether the user had a word in what the client goes on with. Of the prompts that nobody looked up
 * when they came, the last one that the client did not give itself decides.
 */
function isLent(left: Pick<Turn, 'was' | 'last' | 'after'>, proof: Proof): boolean {
  const { was, last, after = [] } = left
  for (const id of after) {
    const told = proof.earlier(id)
    const origin = openingOf(told, proof.state)
    const inside = told?.inside ?? []
    if (isSpokenOver(inside, proof)) return false
    if (origin === 'you' || inside.some((one) => originIn(one, proof) === 'you')) return true
    if (origin !== 'client') return false
  }
  if (last === undefined) return was === true
  const inside = proof.earlier(last)?.inside
  return was === true && inside !== undefined && !isSpokenOver(inside, proof)
}

function bornIn({ agents }: Turn): Pick<Turn, 'agents'> {
  return agents === undefined ? {} : { agents }
}

type Judged = { one: Heard; origin: Origin | 'queued' }

/** Whose the words in the middle of a turn are that hooks have told of. */
function judged(heard: Heard[], proof: Pick<Proof, 'told' | 'state'>): Judged[] {
  return heard.map((one, at) => {
    const earlier = heard.slice(0, at).filter(({ key }) => key === one.key).length
    return { one, origin: one.sure ? 'client' : heardOrigin(one, earlier, proof) }
  })
}

function afterHeard(turn: Turn, heard: Judged[]): Turn {
  let now = turn
  for (const { origin } of heard) {
    if (isForeign(origin)) now = disowned(now, now.id ?? '')
    if (origin === 'you' && now.began !== 'human') now = { ...now, opened: 'prompt' }
  }
  const seen = heard.map(({ one, origin }) =>
    origin === 'queued' || one.sure ? one : { ...one, sure: true as const },
  )
  return { ...now, heard: seen }
}

/**
 * Whose words these are. `earlier`: how often the same ones came before in this turn. `queued`: the
 * user's, which the agent has not taken up: a program's are queued before their hook runs.
 */
export function heardOrigin(
  { key, at }: Heard,
  earlier: number,
  { told, state }: Pick<Proof, 'told' | 'state'>,
): Origin | 'queued' {
  const isIt = ({ text }: { text: string | undefined }) =>
    text !== undefined && promptKey(text) === key
  const found = [...(told?.joined ?? []), ...(told?.inside ?? [])].filter(isIt)
  const isYours = (call: string) => state.tasks?.includes(call) ?? false
  const origins = found.map((one) => originOf({ ...one, isYours }))
  if (origins.includes('foreign')) return 'foreign'
  // Words that the record does not hold may be these.
  const mayBe = told?.queued.filter((one) => one.text === undefined || isIt(one)) ?? []
  const typed = (mayBe.filter(({ taken }) => !taken)[earlier]?.at ?? 0) >= Date.parse(at)
  const queued = mayBe.filter(isIt)
  const put = queued.filter(({ taken }) => !taken)
  if (found.length > earlier) {
    const origin = origins[earlier] ?? 'unknown'
    return origin === 'unknown' && typed ? 'you' : origin
  }
  return typed && put.length > queued.length - put.length ? 'queued' : 'unknown'
}

/** Whether words in a turn are neither the user's nor the client's own, nor a ring of ours. */
export function isStranger(one: Spoken, proof: Pick<Proof, 'state'>): boolean {
  return isForeign(originIn(one, proof))
}

function isForeign(origin: Origin | 'queued'): boolean {
  return origin === 'foreign' || origin === 'unknown'
}

function originIn(one: Spoken, { state }: Pick<Proof, 'state'>): Origin {
  return originOf({ ...one, isYours: (call) => state.tasks?.includes(call) ?? false })
}
