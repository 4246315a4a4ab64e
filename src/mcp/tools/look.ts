import { existsSync } from 'node:fs'
import { eventsSeen, lastMessages } from '../../chat/history.ts'
import type { Ports } from '../../chat/ports.ts'
import type { RemoteRow } from '../../chat/remote/links.ts'
import { search } from '../../chat/search.ts'
import { everyStatus, statusOf } from '../../chat/status/status.ts'
import { hostOf } from '../../message/address.ts'
import { parseAddress } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { clipped } from '../../message/text.ts'
import { choice, count, NAME_LENGTH, named, optional, text, words } from '../fields.ts'
import { present } from '../present.ts'
import { FLAG, LIST, tool } from '../tool.ts'

const NAME = (what: string) => optional(text(what, NAME_LENGTH))
const KINDS = ['note', 'question', 'reply', 'task', 'result', 'handover'] as const
const LINE_LENGTH = 300
const MINUTE = 60_000

export const statusTool = tool({
  name: 'status',
  description: 'What a session is doing, since when, its tasks, and when it was last seen.',
  reads: true,
  fields: { name: NAME('a session, or human; without it, yourself') },
  gives: { sessions: LIST },
  run: async ({ name }, call) => {
    if (name !== undefined && hostOf(name) !== undefined) {
      const { remoteStatus } = await import('../../chat/remote/links.ts')
      return { success: true, sessions: [remoteStatus(call.ports.bus(), parseAddress(name))] }
    }
    const rows = await statusOf(name ?? call.name, call.ports)
    return { success: true, sessions: rows.map(present) }
  },
})

export const whoTool = tool({
  name: 'who',
  description:
    'Who is there: every session and worker, what it is doing, and what is unread; sessions of other machines are called name.machine.',
  reads: true,
  fields: {},
  gives: { sessions: LIST },
  run: async (_, { name, ports }) => {
    const rows = await everyStatus(ports)
    const sessions = rows.map((row) => {
      const { state, since, alive, unread, waiting, tasks, last_seen, worker } = present(row)
      const { no_hooks, no_guardrails } = row
      const task = Array.isArray(tasks) ? tasks[0]?.title : undefined
      const you = row.name === name ? { you: true } : {}
      return {
        name: row.name,
        ...you,
        state,
        since,
        alive,
        unread,
        task,
        last_seen,
        waiting,
        worker,
        no_hooks,
        no_guardrails,
      }
    })
    return { success: true, sessions: [...sessions, ...(await remote(ports))] }
  },
})

/** The sessions on linked machines; a home that has none loads nothing for that. */
async function remote({ bus }: Pick<Ports, 'bus'>): Promise<RemoteRow[]> {
  if (!existsSync(bus().home.remote)) return []
  const { remoteRows } = await import('../../chat/remote/links.ts')
  return remoteRows(bus())
}

export const historyTool = tool({
  name: 'history',
  description: 'The last messages of all sessions, oldest first, with the beginning of each.',
  reads: true,
  fields: {
    count: optional(count('so many, 20 without it', 200)),
    with: NAME('only from or to this session'),
    from: NAME('only from this session'),
    minutes: optional(count('not older than so many minutes', 525_600)),
  },
  gives: { messages: LIST },
  run: ({ count = 20, with: either, from, minutes }, { ports }) => {
    const since = minutes === undefined ? undefined : minutes * MINUTE
    const sent = lastMessages({ count, with: either, from, since }, ports)
    const messages = sent.map(eventsSeen(ports)).map((event) => {
      const { id, from, to, at, kind, subject, preview, thread } = event
      return { id: shortId(id), message_id: id, from, to, at, kind, subject, preview, thread }
    })
    return { success: true, messages }
  },
})

export const searchTool = tool({
  name: 'search',
  description: 'Find messages that have all of these words, newest first.',
  reads: true,
  fields: {
    message: named(words('words that it has, or a list of exact phrases'), 'words'),
    from: NAME('only from this session'),
    to: NAME('only to this session'),
    kind: optional(choice('only of this kind', KINDS)),
    limit: optional(count('so many at most, 20 without it', 100)),
  },
  gives: { messages: LIST, more: FLAG },
  run: ({ message: words, from, to, kind, limit }, { ports }) => {
    const { hits, more } = search({ words, from, to, kind, limit }, ports)
    const messages = hits.map(({ message, line }) => {
      const { id, from, to, timestamp, kind, subject, thread } = message
      const names = { id: shortId(id), message_id: id, from, to, at: timestamp, kind }
      return { ...names, subject, thread, found: clipped(line.text, LINE_LENGTH) }
    })
    return { success: true, messages, more }
  },
})
