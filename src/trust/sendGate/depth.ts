import type { Bus } from '../../bus/bus.ts'
import { messageAt } from '../../bus/mail/inbox.ts'
import { isFree } from '../../message/free.ts'
import { HUMAN } from '../../message/name.ts'
import { type Read, readReads } from '../../session/reads.ts'
import { releasedAt } from './held.ts'

/** A message on a chain, as far as its place there goes. */
export type OnChain = Pick<Read, 'id' | 'from' | 'kind' | 'chain' | 'hops' | 'depth'>

/** How many counted messages followed one another on the path to this one. */
export function depthOf({ hops, depth }: Pick<OnChain, 'hops' | 'depth'>): number {
  return Math.max(hops, depth ?? 0)
}

/** The deepest message that a session has read on a chain since the human last let it go on. */
export function deepest(bus: Bus, name: string, chain: string): number {
  return furthest(onChain(bus, name, chain))
}

/**
 * How deep the path is that a counted message from `from` to `to` goes on with: as deep as anything
 * that its sender has read on that chain. But whoever works for one that asked, or for the human,
 * may consult others side by side: a question and one that follows it count from what was asked,
 * not from what the others have answered. `follows`: what the message follows from.
 */
export async function depthTo(
  bus: Bus,
  from: string,
  to: string,
  chain: string,
  follows: OnChain[],
): Promise<number> {
  const known = onChain(bus, from, chain)
  const reads = [
    ...known,
    ...follows.filter((one) => one.chain === chain && !known.some(({ id }) => id === one.id)),
  ]
  const all = furthest(reads)
  const root = rootOf(reads, to)
  if (root === undefined) return all
  const its = reads.filter((read) => read.from === to)
  const beside = Math.max(root.depth, furthest(its))
  // Once somebody who was consulted has gone deeper, only a first question is put beside it.
  const isDeep = reads.some((one) => one.from !== root.giver && depthOf(one) > one.hops)
  if (beside >= all || beside > root.depth + 1 || (isDeep && its.length > 0)) return all
  return root.giver === undefined || (await isOpen(bus, from, root.giver, reads)) ? beside : all
}

function onChain(bus: Bus, name: string, chain: string): OnChain[] {
  const since = releasedAt(bus.home, chain)
  return readReads(bus.home, name).filter(
    (read) => read.chain === chain && Date.parse(read.at) >= since,
  )
}

/** -1 where there is none: what comes next is the first. */
function furthest(reads: OnChain[]): number {
  return Math.max(-1, ...reads.map(depthOf))
}

/**
 * What a session has on a chain that only one other has asked it for something, and all others have
 * merely answered it: how deep that one went. `giver` is undefined where the session began the
 * chain itself. Undefined for any other chain, and for what goes back to that one.
 */
function rootOf(
  reads: OnChain[],
  to: string,
): { depth: number; giver: string | undefined } | undefined {
  const [giver, ...others] = new Set(
    reads.filter(({ depth }) => depth === undefined).map(({ from }) => from),
  )
  if (giver === undefined)
    return reads.some(({ hops }) => hops === 0) ? { depth: -1, giver: undefined } : undefined
  if (others.length > 0 || giver === to) return undefined
  return { depth: furthest(reads.filter(({ from }) => from === giver)), giver }
}

/** Whether a question or a task of `giver` waits for its end. The human's words always do. */
async function isOpen(bus: Bus, from: string, giver: string, reads: OnChain[]): Promise<boolean> {
  if (giver === HUMAN) return true
  // Loaded only here: it parses messages.
  const { answersTo } = await import('../../bus/index/threads.ts')
  return reads.some(({ id, from: asker, kind }) => {
    if (asker !== giver || !['question', 'task'].includes(kind)) return false
    const asked = messageAt(bus.home.message(id), id, bus.home)
    const end = { from, to: giver, kind: 'result', extra: {} }
    return asked !== undefined && isFree(asked, end, answersTo(bus.home, asked, from))
  })
}
