import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/message/message.ts'
import { SEED, TIMES } from './cases.ts'
import { chainWorld } from './chains.ts'

/** 500 with `FUZZ_RUNS=50`. */
const SEEDS = 10 * TIMES

/** Far more turns than any of them may have. */
const TURNS = 100

/** How often anything is tried before a session gives up what would be held. */
const TRIES = 3

type World = ReturnType<typeof chainWorld>

/** Numbers from 0 to below 1, the same ones for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    const one = Math.imul(state ^ (state >>> 15), 1 | state)
    const two = (one + Math.imul(one ^ (one >>> 7), 61 | one)) ^ one
    return ((two ^ (two >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of the ways to say something to one of `peers`: reply, ask, task, done and send, in any mix. */
async function saysSomething(
  { say, answer, open }: World,
  from: string,
  read: Message[],
  peers: string[],
  pick: <T>(of: T[]) => T,
): Promise<string> {
  const to = pick(peers)
  const answered = pick([undefined, ...read.filter((one) => one.from === to)])
  const ends = open(from).filter((one) => peers.includes(one.from))
  const ways = [
    () => say(from, to, { kind: 'note', answered }),
    () => say(from, to, { kind: 'reply', answered: answered ?? read[0] }),
    () => say(from, to, { kind: 'question', answered }),
    () => say(from, to, { kind: 'task' }),
    ...ends.flatMap((one) => [() => answer(one), () => answer(one)]),
  ]
  return pick(ways)()
}

/** Until nobody is rung: whoever is says something, and something else where that does not ring. */
async function play(
  world: World,
  names: string[],
  peersOf: (name: string, read: Message[]) => string[],
  pick: <T>(of: T[]) => T,
): Promise<Message[]> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const found = names.flatMap((name) => {
      const read = world.rung(name)
      return read ? [{ name, read }] : []
    })
    if (found.length === 0)
      return world.sent.filter(({ fate }) => fate === 'rings').map(({ message }) => message)
    for (const { name, read } of found)
      for (let tries = 0; tries < TRIES; tries += 1)
        if ((await saysSomething(world, name, read, peersOf(name, read), pick)) === 'rings') break
  }
  throw new Error(`still at it after ${TURNS} turns`)
}

const seeds = Array.from({ length: SEEDS }, (_, at) => (SEED + at) >>> 0)

const picker = (seed: number) => {
  const next = numbers(seed)
  return <T>(of: T[]): T => of[Math.floor(next() * of.length)] as T
}

describe('sessions that always answer, by any mix, come to rest', () => {
  test.each([
    [['a', 'b'], 8],
    [['a', 'b', 'c'], 12],
  ])('%j within %i messages', { timeout: 60_000 * TIMES }, async (names, most) => {
    for (const seed of seeds) {
      const world = chainWorld(...names)
      const pick = picker(seed)
      world.human('a')
      await saysSomething(world, 'a', [], ['b'], pick)
      const others = (name: string) => names.filter((one) => one !== name)
      const rang = await play(world, names, others, pick)
      expect(rang.length, `FUZZ_SEED=${seed}: ${line(rang)}`).toBeLessThanOrEqual(most)
    }
  })

  test('a star of five within 8 a leaf', { timeout: 60_000 * TIMES }, async () => {
    const leaves = ['b', 'c', 'd', 'e', 'f']
    for (const seed of seeds) {
      const world = chainWorld('a', ...leaves)
      const pick = picker(seed)
      world.human('a')
      for (const leaf of leaves) await saysSomething(world, 'a', [], [leaf], pick)
      const answers = (name: string, read: Message[]) =>
        name === 'a' ? read.map(({ from }) => from) : ['a']
      const rang = await play(world, ['a', ...leaves], answers, pick)
      for (const leaf of leaves) {
        const its = rang.filter(({ from, to }) => [from, to].includes(leaf))
        expect(its.length, `FUZZ_SEED=${seed}: ${line(its)}`).toBeLessThanOrEqual(8)
      }
    }
  })
})

const line = (messages: Message[]) =>
  messages
    .map(({ from, to, kind, hops, extra }) => `${from}>${to} ${kind} ${hops}/${extra.depth ?? '-'}`)
    .join(', ')
