import type { Bus } from '../bus/bus.ts'
import type { Message } from '../message/message.ts'
import { readReads } from '../session/reads.ts'
import { isOpen, type Turn } from '../session/turn.ts'
import { causesOf } from './cause.ts'

/** What a message follows from: the chain that it carries on, and the messages since a human last spoke on it. */
export type Lineage = { chain: string | undefined; hops: number }

/** A turn whose messages nobody has read yet is about the first of those that wait. */
const PEEK = 20

/**
 * Where a human has a word in the turn, a message begins anew. Else it goes on from what it answers, or from what its recipient wrote, else from any
 * message of this turn: of these, from the one that has come furthest.
 */
export async function lineageOf(
  bus: Bus,
  from: string,
  to: string,
  turn: Turn | undefined,
  answered: Message | undefined,
): Promise<Lineage> {
  if (turn && isOpen(turn)) return openLineage(bus, from, turn)
  const reads = causesOf(bus, from, turn)
  const fromRecipient = reads.filter((cause) => cause.from === to)
  const causes = fromRecipient.length > 0 ? fromRecipient : reads
  // Whatever it says that it answers, it comes after all that it follows from: else two could answer one first message for ever.
  const named = answered ? [readReads(bus.home, from).find(({ id }) => id === answered.id) ?? answered] : []
  const waiting = causes.length + named.length === 0 && turn ? await waitingFor(bus, from) : []
  const furthest = [...named, ...causes, ...waiting].sort((a, b) => b.hops - a.hops)[0]
  return furthest ? after(furthest) : { chain: undefined, hops: 0 }
}

/**
 * The human's turn goes on by nobody's word when a background task ends, and that task may have brought the answer to a question of this turn. Then
 * the last that has come back on a chain begun in it counts: else two sessions could ask and answer for ever after one word of the human.
 */
function openLineage(bus: Bus, from: string, turn: Turn): Lineage {
  const goesOn = turn.id !== null && turn.checked === turn.id
  const last = goesOn ? causesOf(bus, from, turn).findLast(({ chain }) => isOfTurn(chain, from, turn)) : undefined
  return last ? after(last) : { chain: turn.chain ?? undefined, hops: 0 }
}

/** A human's words begin a chain; where a yes has opened the turn, each message of the session's own does. */
function isOfTurn(chain: string, from: string, turn: Turn): boolean {
  return chain === turn.chain || chain.endsWith(`-from-${from}`)
}

function after({ chain, hops }: Lineage & { chain: string }): Lineage {
  return { chain, hops: hops + 1 }
}

/** Few messages are sent in a turn that has read none, so only then is the parser of messages loaded. */
async function waitingFor(bus: Bus, name: string): Promise<Message[]> {
  const { readUnread } = await import('../bus/inbox.ts')
  return readUnread(bus, name, PEEK).messages
}
