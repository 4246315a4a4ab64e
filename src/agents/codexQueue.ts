import type { AgentQueue, Call } from './agent.ts'

type Thread = {
  id: string
  ephemeral?: boolean
  threadSource?: string
  parentThreadId?: string | null
  status?: { type: string; activeFlags?: string[] }
}

type Item = { id: string; input: { text?: string }[] }

/**
 * The queue of a Codex app-server. A prompt in it begins a turn when the one before is over; a
 * draft, a dialog and an answer that is being written stay as they are. After Escape the queue
 * waits until it is started again. `turn/start` is never used: it cuts the answer of a turn short.
 */
export const CODEX_QUEUE: AgentQueue = {
  hello: async (call) => {
    const clientInfo = { name: 'agent-chat', title: 'agent-chat', version: '1' }
    const said = await call('initialize', { clientInfo, capabilities: { experimentalApi: true } })
    return /\/(\d+\.\d+\.\d+)/.exec(String(field(said, 'userAgent')))?.[1]
  },
  begun: 'initialized',
  changed: 'thread/status/changed',
  current: async (call, told) => {
    const threads = await openThreads(call)
    const newest = threads.at(-1)
    if (newest === undefined) return 'Codex has no conversation yet'
    // After `/new` the one before stays open for a minute, and nothing says which is in front.
    if (threads.length > 1 && newest.id !== told) return 'Codex is changing conversations'
    return { id: newest.id, activity: activityOf(newest) }
  },
  queued: async (call, threadId) => {
    const { data } = (await call('thread/queue/list', { threadId })) as { data: Item[] }
    return data.map(({ id, input }) => ({ id, text: input.map(({ text }) => text ?? '').join('') }))
  },
  add: async (call, threadId, text, clientUserMessageId) => {
    const input = [{ type: 'text', text, text_elements: [] }]
    await call('thread/queue/add', { threadId, input, clientUserMessageId })
  },
  start: async (call, threadId, queuedSubmissionId) => {
    await call('thread/queue/start', { threadId, queuedSubmissionId })
  },
}

/**
 * What is none of the user's own, by connection. Every turn leaves one for its title, which stays
 * open for a minute.
 */
const OTHERS = new WeakMap<Call, Set<string>>()

/** The user's own conversations, oldest first: not a subagent's, and not the one for a title. */
async function openThreads(call: Call): Promise<Thread[]> {
  const { data } = (await call('thread/loaded/list', {})) as { data: string[] }
  const before = OTHERS.get(call)
  const others = new Set(data.filter((id) => before?.has(id)))
  // Their ids begin with their time.
  const ids = data.filter((id) => !others.has(id)).sort()
  const known = await Promise.all(
    ids.map(async (id) => {
      const thread = await readThread(call, id)
      if (!thread) others.add(id)
      return thread?.threadSource === 'user' ? [thread] : []
    }),
  )
  OTHERS.set(call, others)
  return known.flat()
}

/**
 * A conversation that may be the user's own. One for a title has no queue: to ask for that takes
 * 2 ms, to read such a one 40.
 */
async function readThread(call: Call, threadId: string): Promise<Thread | undefined> {
  try {
    await call('thread/queue/list', { threadId })
  } catch (error) {
    if (/\bephemeral\b/.test(String(error))) return undefined
    throw error
  }
  const { thread } = (await call('thread/read', { threadId })) as { thread: Thread }
  return thread.ephemeral || thread.parentThreadId ? undefined : thread
}

function activityOf({ status }: Thread): 'idle' | 'busy' | 'asking' {
  if (status?.type === 'active') return (status.activeFlags ?? []).length > 0 ? 'asking' : 'busy'
  return 'idle'
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
