import { escalationId } from '../bus/index/escalations.ts'
import { readArchived, resolveId } from '../bus/mail/archive.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { readReads } from '../session/reads.ts'
import { whoMaybe } from './identity.ts'
import type { Ports } from './ports.ts'

/**
 * The message that a part of an id stands for, looked for in the inbox of `name`, where that is
 * known, among what they have read, and in the archive. It needs the parser of messages.
 */
export function findMessage(
  part: string,
  name: string | undefined,
  ports: Pick<Ports, 'bus'>,
): Message {
  const { home } = ports.bus()
  const read = name === undefined ? [] : readReads(home, name).map(({ id }) => id)
  return readArchived(home, resolveId(home, part, name, read), name)
}

/**
 * The message to show: for whoever is no session, a number is that of a decision, too. A part of an
 * id has at least 4 characters.
 */
export function findShown(part: string, ports: Pick<Ports, 'bus' | 'env'>): Message {
  const name = whoMaybe(ports)?.name
  const number = /^(?:#(\d{1,5})|(\d{1,3}))$/.exec(part)
  const isTheirs = number !== null && (name === undefined || name === HUMAN)
  const id = isTheirs ? escalationId(ports.bus().home, Number(number[1] ?? number[2])) : undefined
  return findMessage(id ?? part, name, ports)
}
