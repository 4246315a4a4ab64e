import { findSession, readSessions } from '../../bus/registry.ts'
import { sendersOf, unreadIds } from '../../bus/unread.ts'
import { findIdentity } from '../../session/identity.ts'
import type { HookPorts } from '../ports.ts'
import { addContext, type Reply, SILENT } from '../reply.ts'

/**
 * Names the session to the model and tells what is unread: facts, no orders. Says nothing where the session is no participant. Runs at
 * `startup`, `resume`, `clear` and `compact` alike, since each begins a context that does not know it yet.
 */
export function sessionStart(ports: HookPorts): Reply {
  const { home } = ports.bus()
  const sessions = readSessions(home)
  const identity = findIdentity({ env: ports.env, sessions: () => sessions, warn: () => {} })
  if (!identity || !findSession(sessions, identity.name)) return SILENT
  return addContext(
    'SessionStart',
    `This session is @${identity.name} on agent-chat. ${unreadFact(unreadIds(home, identity.name))}`,
  )
}

/** What is unread, in one sentence. */
export function unreadFact(ids: string[]): string {
  if (ids.length === 0) return 'No messages are unread.'
  const senders = sendersOf(ids).map((name) => `@${name}`)
  const from = senders.length === 0 ? '' : ` from ${senders.join(', ')}`
  const what = ids.length === 1 ? '1 message is unread' : `${ids.length} messages are unread`
  return `${what}${from}; \`agent-chat inbox\` prints ${ids.length === 1 ? 'it and marks it' : 'them and marks them'} read.`
}
