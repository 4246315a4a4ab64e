import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { hostOf } from '../../message/address.ts'
import { PROGRAM } from '../../message/name.ts'
import { serializeMessage } from '../../message/serialize.ts'
import { shortId } from '../../message/shortId.ts'
import { toWire } from '../../message/wire.ts'
import { reasonOf, unless } from '../../system/errno.ts'
import { makeDirectory, removeFile } from '../../system/files.ts'
import type { Bus } from '../bus.ts'
import { record } from '../history.ts'
import { readMessageFile } from '../mail/inbox.ts'
import { dropMark, isSilent, markOf } from '../mail/marks.ts'
import { sendMessage } from '../mail/send.ts'
import type { Wire } from './wire.ts'

/** A message on its way, and why it is not to ring where it arrives, if so. */
export type Letter = Wire & { silent?: { ring: 'held' | 'quiet'; why: string } }

/**
 * A queued message as the machine `host` is to get it; undefined where it is queued no more, and
 * why it cannot be sent where its file was spoilt.
 */
export function letterFor(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  host: string,
  me: string,
  id: string,
): Letter | string | undefined {
  const message = readMessageFile(home.outgoing(host, id), `${id}.md`)
  if (typeof message !== 'object') return message
  if (hostOf(message.to) !== host) return `it is to @${message.to}`
  const wire = toWire(message, me)
  const mark = markOf(home, message.to, id)
  const silent =
    mark && isSilent(mark, processes) && mark.ring !== 'awaited'
      ? {
          silent: {
            ring: mark.ring === 'held' ? ('held' as const) : ('quiet' as const),
            why: mark.why,
          },
        }
      : {}
  return { id: wire.id, text: serializeMessage(wire), ...silent }
}

/**
 * The other machine has it on its disk: from here on its queue has it no more. Gives what failed
 * after that, on a full disk for example: the message has arrived all the same.
 */
export function noteArrived(bus: Bus, host: string, id: string): string | undefined {
  const { home } = bus
  const message = readMessageFile(home.outgoing(host, id), `${id}.md`)
  const to = typeof message === 'object' ? message.to : undefined
  removeFile(home.outgoing(host, id))
  try {
    if (to !== undefined) dropMark(home, to, id)
    record(bus, 'arrived', { id, ...(to === undefined ? {} : { to }), host })
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** The other machine does not take it: kept apart, and its sender is told. */
export function noteRefused(bus: Bus, host: string, id: string, why: string): void {
  const { home } = bus
  const message = readMessageFile(home.outgoing(host, id), `${id}.md`)
  const refused = home.refusedThere(host, id)
  makeDirectory(dirname(refused))
  const moved = unless(['ENOENT'], () => {
    renameSync(home.outgoing(host, id), refused)
    return true
  })
  record(bus, 'refused-there', { id, host, why })
  if (typeof message !== 'object' || !moved) return
  dropMark(home, message.to, id)
  sendMessage(bus, {
    from: PROGRAM,
    to: message.from,
    kind: 'note',
    subject: `${shortId(id)} to @${message.to} was refused`,
    body: `${host} did not take the message ${shortId(id)} to @${message.to}: ${why}. Nobody has read it. See who is there with \`agent-chat who --all\`.`,
    inReplyTo: message,
    chain: message.chain,
    hops: message.hops,
  })
}
