import { readArchived, resolveId } from '../bus/archive.ts'
import type { Message } from '../message/message.ts'
import type { Ports } from './ports.ts'

/** The message that a part of an id stands for, looked for in the inbox of `name` and the archive. It needs the parser of messages. */
export function findMessage(part: string, name: string, ports: Pick<Ports, 'bus'>): Message {
  const { home } = ports.bus()
  return readArchived(home, resolveId(home, part, name), name)
}
