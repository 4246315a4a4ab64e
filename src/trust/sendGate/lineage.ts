import type { Bus } from '../../bus/bus.ts'
import { freeDepth } from '../../message/free.ts'
import type { Message } from '../../message/message.ts'
import { readReads } from '../../session/reads.ts'
import { isOpen, type Turn } from '../../session/turn.ts'
import { causesOf } from './cause.ts'
import { deepest, depthOf, depthTo, type OnChain } from './depth.ts'

/**
 * The chain that a message carries on, and the counted messages on its path since a human last
 * spoke. `depth`: of a free message, which carries the hops of the one who asked, how deep the path
 * was that it ends.
 */
export type Lineage = { chain: string | undefined; hops: number; depth?: number }

/** A turn in which nothing was read yet is about the first messages that wait: at most so many. */
const PEEK = 20

/**
 * In a turn with a human's word, a message begins a new chain. Else it follows the message that it
 * answers and those that its recipient wrote in this turn or, where the recipient wrote none, any
 * message of this turn. The deepest of these gives the chain, and `depthTo()` how deep it is.
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
  // It comes after everything that it follows from, whatever message it names: else two sessions
  // could answer one first message for ever.
  const named = answered
    ? [readReads(bus.home, from).find(({ id }) => id === answered.id) ?? unread(answered)]
    : []
  const waiting = causes.length + named.length === 0 && turn ? await waitingFor(bus, from) : []
  const follows = [...named, ...causes, ...waiting]
  const furthest = follows.sort((a, b) => depthOf(b) - depthOf(a))[0]
  if (!furthest) return { chain: undefined, hops: 0 }
  return {
    chain: furthest.chain,
    hops: (await depthTo(bus, from, to, furthest.chain, follows)) + 1,
  }
}

/** The lineage of a free message: an answer to `asked`, which carries the hops of the asker. */
export function freeLineage(bus: Bus, from: string, asked: Message): Lineage {
  const { chain, hops } =
    readReads(bus.home, from).find(({ id }) => id === asked.id) ?? unread(asked)
  return { chain, hops, depth: Math.max(hops, deepest(bus, from, chain)) }
}

/** Whether a turn with a human's word goes on by nobody's. */
export function goesOn(turn: Turn | undefined): boolean {
  return turn !== undefined && turn.id !== null && turn.checked === turn.id
}

/**
 * The lineage in a turn with a human's word. When a background task ends, the turn goes on by
 * nobody's word, and the task may have brought the answer to a question of this turn. Then the last
 * message that came back on a chain of this turn counts: else two sessions could ask and answer for
 * ever after one word of the human.
 */
function openLineage(bus: Bus, from: string, turn: Turn): Lineage {
  const last = goesOn(turn)
    ? causesOf(bus, from, turn).findLast(({ chain }) => isOfTurn(chain, from, turn))
    : undefined
  return last ? after(last) : { chain: turn.chain ?? undefined, hops: 0 }
}

/**
 * Whether a chain began in this turn: by the human's words or, where a yes opened the turn, by any
 * message of the session's own.
 */
function isOfTurn(chain: string, from: string, turn: Turn): boolean {
  return chain === turn.chain || chain.endsWith(`-from-${from}`)
}

function after(read: OnChain): Lineage {
  return { chain: read.chain, hops: depthOf(read) + 1 }
}

function unread({ id, from, kind, chain, hops, extra }: Message): OnChain {
  const depth = freeDepth({ extra })
  return { id, from, kind, chain, hops, ...(depth === undefined ? {} : { depth }) }
}

/** Few messages are sent in a turn that has read none: the parser is loaded only then. */
async function waitingFor(bus: Bus, name: string): Promise<OnChain[]> {
  const { readUnread } = await import('../../bus/mail/inbox.ts')
  return readUnread(bus, name, PEEK).messages.map(unread)
}
