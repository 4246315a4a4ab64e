import { hostOf } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { makeDirectory } from '../../system/files.ts'
import { ensureInbox, type Home } from '../home.ts'
import { inHome } from '../homeError.ts'

/** Where a message is delivered: the inbox of its recipient, or the queue of another machine. */
export function placeFor(home: Home, { to, id }: Pick<Message, 'to' | 'id'>): string {
  const host = hostOf(to)
  return host === undefined ? home.unread(to, id) : home.outgoing(host, id)
}

/** Makes what that place needs. */
export function makePlace(home: Home, to: string): void {
  const host = hostOf(to)
  if (host === undefined) ensureInbox(home, to)
  else inHome(home, () => makeDirectory(home.out(host)))
}
