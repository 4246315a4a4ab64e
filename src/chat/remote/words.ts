import type { Bus } from '../../bus/bus.ts'
import { readSeen } from '../../bus/remote/peers.ts'
import { CodedError } from '../../errors.ts'
import { hostOf } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'

const STEPS: [least: number, size: number, name: string][] = [
  [2 * 86_400, 86_400, 'd'],
  [2 * 3600, 3600, 'h'],
  [120, 60, 'min'],
  [0, 1, 's'],
]

/** `b last seen 3 h ago`; an answered ping is the last thing that counts. */
export function lastSeenText({ home, clock }: Pick<Bus, 'home' | 'clock'>, host: string): string {
  const seen = readSeen(home, host)
  if (seen === undefined) return `${host} was never reached`
  const seconds = Math.max(0, (clock.now() - seen.at) / 1000)
  const [, size, name] = STEPS.find(([least]) => seconds >= least) ?? [0, 1, 's']
  return `${host} last seen ${Math.floor(seconds / size)} ${name} ago`
}

/** What is said of a message for another machine that was queued. */
export function queuedText(bus: Bus, { id, to }: Pick<Message, 'id' | 'to'>): string {
  return `queued ${shortId(id)} for @${to} (${lastSeenText(bus, hostOf(to) ?? '')})`
}

/** Why a message that was waited for has not even arrived. */
export function stillQueued(
  bus: Bus,
  { id, to }: Pick<Message, 'id' | 'to'>,
  refused: boolean,
  timeoutMs: number,
): CodedError {
  const host = hostOf(to) ?? ''
  if (refused)
    return new CodedError('PEER_REFUSES', `${host} did not take ${shortId(id)} to @${to}`, {
      hint: `see why with: agent-chat show ${shortId(id)}; see who is there with: agent-chat who --all`,
    })
  return new CodedError(
    'NOT_ARRIVED',
    `${shortId(id)} has not arrived at ${host} within ${timeoutMs / 1000} s; ${lastSeenText(bus, host)}`,
    { hint: 'it stays queued, do not send it again; see the link with: agent-chat links' },
  )
}
