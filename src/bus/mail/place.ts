import { hostOf } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { progressIn } from '../../message/task.ts'
import { makeDirectory } from '../../system/files.ts'
import { ensureInbox, type Home } from '../home.ts'
import { inHome } from '../homeError.ts'

/**
 * Where a message is delivered: the inbox of its recipient, or the queue of another machine. The
 * state of a task is put beside what was read: it is nobody's to read.
 */
export function placeFor(
  home: Home,
  message: Pick<Message, 'to' | 'id'> & Partial<Message>,
): string {
  const { to, id } = message
  const host = hostOf(to)
  if (host !== undefined) return home.outgoing(host, id)
  return progressIn(message) === undefined ? home.unread(to, id) : home.read(to, id)
}

/** Makes what that place needs. */
export function makePlace(home: Home, to: string): void {
  const host = hostOf(to)
  if (host === undefined) ensureInbox(home, to)
  else inHome(home, () => makeDirectory(home.out(host)))
}
