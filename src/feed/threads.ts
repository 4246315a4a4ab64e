import type { Bus } from '../bus/bus.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { visibleLine } from '../message/visible.ts'
import { foldRows } from './fold.ts'
import type { Need } from './need.ts'

/**
 * What the person has not read of one thread. `root` names the thread; `ids`: those messages, oldest
 * first; `at` (ISO 8601), `kind` and `title` are of the newest; `from`: who wrote them, the last first.
 * `folded`: they are of several threads, of a session that has written more than 20 in 10 minutes.
 */
export type UnreadThread = {
  root: string
  at: string
  kind: string
  title: string
  from: string[]
  ids: string[]
  folded?: true
}

/**
 * One row a thread, the newest message first, and one for what is folded. A message that is on the
 * list of what needs the person has its row there: it is in none of these.
 */
export function unreadThreads(
  unread: readonly Message[],
  needs: readonly Need[] = [],
): UnreadThread[] {
  const asked = new Set(needs.flatMap((need) => ('id' in need ? [need.id] : [])))
  const rows = unread
    .filter(({ id }) => !asked.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((message) => ({ ...message, type: 'message' as const, at: message.timestamp }))
  const threads = new Map<string, Message[]>()
  const folded: UnreadThread[] = []
  for (const row of foldRows(rows)) {
    if (row.type === 'crowd')
      folded.push({ ...rowOf(row.id, row.rows), title: row.text, folded: true })
    else threads.set(row.thread, [...(threads.get(row.thread) ?? []), row])
  }
  return [...folded, ...[...threads].map(([root, messages]) => rowOf(root, messages))].sort(
    (a, b) => ((a.ids.at(-1) ?? '') < (b.ids.at(-1) ?? '') ? 1 : -1),
  )
}

function rowOf(root: string, messages: Message[]): UnreadThread {
  const last = messages.at(-1) as Message
  const from = messages.map((message) => visibleLine(message.from)).reverse()
  return {
    root,
    ...{ at: last.timestamp, kind: visibleLine(last.kind) },
    ...{ title: taskTitle({ message: last }), from: [...new Set(from)] },
    ids: messages.map(({ id }) => id),
  }
}

/**
 * Gives the person's unread messages, oldest first, and opens each once, however often it is asked.
 * What cannot be read as a message is left for `inbox human`, which sets it aside and says so.
 */
export function openUnread({ home }: Pick<Bus, 'home'>): () => Message[] {
  let known = new Map<string, Message | undefined>()
  const read = (id: string) => messageAt(home.unread(HUMAN, id), id, home)
  return () => {
    const before = known
    known = new Map(
      unreadIds(home, HUMAN).map((id) => [id, before.has(id) ? before.get(id) : read(id)]),
    )
    return [...known.values()].flatMap((message) => message ?? [])
  }
}
