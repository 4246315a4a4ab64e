import { escalationId } from '../bus/index/escalations.ts'
import { readArchived, resolveId } from '../bus/mail/archive.ts'
import type { Message } from '../message/message.ts'
import { readReads } from '../session/reads.ts'
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

/** The id of the decision that a number stands for, as `#3` or `3`; any other part as it is. */
export function decisionOr(part: string, { bus }: Pick<Ports, 'bus'>): string {
  const number = /^#?(\d{1,4})$/.exec(part)?.[1]
  return (number && escalationId(bus().home, Number(number))) || part
}
