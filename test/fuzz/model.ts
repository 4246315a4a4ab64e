/** A session for good, whatever it is called: what it has received, unread and read. */
export type Owner = { name: string; unread: Said[]; read: Said[] }

/**
 * A message as the model knows it. `place` is where its inbox shows it: 0 before the others, 2
 * after them.
 */
export type Said = {
  id: string
  from: Owner
  to: Owner
  kind: string
  body: string
  thread: string
  inReplyTo: string | undefined
  word: string | undefined
  place: number
  held: boolean
  at: number
}

/** What is true of a home: who is there, and what was said. Nothing of how it is kept. */
export type Model = {
  registered: Map<string, Owner>
  /**
   * Everyone that a name stood for last: of those who have left too, and old names of those who
   * have another now.
   */
  known: Map<string, Owner>
  said: Said[]
  /** Chains of which the human was told that something is held. */
  notes: number
  told: Set<string>
  paused: boolean
  now: number
}

export type TaskState = 'sent' | 'accepted' | 'working' | 'done' | 'failed' | 'declined'

export function emptyModel(now: number): Model {
  return {
    registered: new Map(),
    known: new Map(),
    said: [],
    notes: 0,
    told: new Set(),
    paused: false,
    now,
  }
}

/** Those that are read together, as they are shown: urgent ones first, then by time. */
export function inTime(messages: Said[]): Said[] {
  const key = ({ place, id }: Said) => `${place === 0 ? 0 : 1} ${id}`
  return messages.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** The order in which an inbox is read. */
export function inOrder(messages: Said[]): Said[] {
  return [...messages].sort((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1))
}

/** The messages of a conversation, oldest first. */
export function threadOf(model: Model, thread: string): Said[] {
  return model.said.filter((one) => one.thread === thread).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** How a task stands, by the rules of docs/dev/bus-format.md and nothing else. */
export function stateOfTask(model: Model, task: Said): TaskState {
  let state: TaskState = 'sent'
  for (const one of threadOf(model, task.thread)) {
    if (state === 'done' || state === 'failed' || state === 'declined') break
    if (one === task || one.from.name !== task.to.name) continue
    const { kind, word } = one
    if (one.inReplyTo === task.id) {
      if (word === 'done' || word === 'failed' || word === 'declined') state = word
      else if (kind === 'result' && word !== 'accepted') state = 'done'
      else if (word === 'accepted') state = state === 'sent' ? 'accepted' : state
      else if (word === undefined && state !== 'sent') state = 'working'
    } else if (kind !== 'result' && word === undefined && state !== 'sent') state = 'working'
  }
  return state
}

export function isOpen(state: TaskState): boolean {
  return state === 'sent' || state === 'accepted' || state === 'working'
}

/**
 * What a conversation must be for `prune` to take it: old, read, without an open task or a question
 * that waits.
 */
export function isPrunable(model: Model, thread: string, before: number): boolean {
  const messages = threadOf(model, thread)
  return messages.every((one) => {
    if (one.at >= before || one.to.unread.includes(one)) return false
    if (one.kind === 'task') return !isOpen(stateOfTask(model, one))
    const answers = messages.filter(
      ({ inReplyTo, from }) => inReplyTo === one.id && from.name === one.to.name,
    )
    return one.kind !== 'question' || answers.length > 0
  })
}
