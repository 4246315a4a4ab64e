import { LONGEST_MS } from '../../src/testing/until.ts'
import type { Actor } from './actors.ts'

/** A command that was run: how it ended, or undefined where its process was killed on the way. */
export type Ended = { argv: string[]; code?: number; stdout: string; stderr: string }

/** Makes the next command of a process, from what has ended so far. */
export type Plan = (ended: readonly Ended[]) => string[]

/** Whose turn it is; with a `!`, it is killed where it stands. */
export type Turn = '0' | '1' | '0!' | '1!'

type Hand = { actor: Actor; plans: Plan[]; state: 'idle' | 'standing' | 'at work'; argv: string[] }

/**
 * A process that does not stand still within this time waits for the other one, most likely: that
 * one goes on. In milliseconds.
 */
const SOON_MS = 30

/**
 * Runs the commands of two processes, each one's in their order, one step at a time: the next step
 * is that of the process whose turn it is. Gives the commands in the order in which they ended.
 * Throws where they wait for each other for ever: where none has come to anything for longer than
 * whatever one may wait for, or takes to start.
 */
export async function interleave(
  root: string,
  actors: [Actor, Actor],
  plans: [Plan[], Plan[]],
  turns: Turn[],
): Promise<Ended[]> {
  const ended: Ended[] = []
  const hands = actors.map(
    (actor, at): Hand => ({ actor, plans: [...(plans[at] ?? [])], state: 'idle', argv: [] }),
  )
  const busy = (hand: Hand | undefined) =>
    hand !== undefined && (hand.state !== 'idle' || hand.plans.length > 0)
  let moved = performance.now()
  for (let at = 0; hands.some(busy); at += 1) {
    if (performance.now() - moved > LONGEST_MS) {
      await Promise.all(actors.map((actor) => actor.kill()))
      throw new Error(
        `they wait for each other: ${hands.map(({ argv }) => argv.join(' ')).join(' | ')}`,
      )
    }
    const turn = turns[at % turns.length] ?? '0'
    const who = turn.startsWith('0') ? 0 : 1
    const hand = busy(hands[who]) ? hands[who] : hands[1 - who]
    if (!hand) continue
    // Only the first time: the list of turns may begin again.
    if (turn.endsWith('!') && hand.state === 'standing' && at < turns.length) await end(hand, ended)
    else if (!(await step(root, hand, ended))) continue
    moved = performance.now()
  }
  return ended
}

async function end(hand: Hand, ended: Ended[]): Promise<void> {
  await hand.actor.kill()
  hand.state = 'idle'
  ended.push({ argv: hand.argv, stdout: '', stderr: '' })
}

/** Whether the process has come to something. */
async function step(root: string, hand: Hand, ended: Ended[]): Promise<boolean> {
  if (hand.state === 'idle') {
    hand.argv = hand.plans.shift()?.(ended) ?? []
    hand.actor.run(root, hand.argv)
  } else if (hand.state === 'standing') hand.actor.goOn()
  hand.state = 'at work'
  const event = await hand.actor.next(SOON_MS)
  if (event === undefined) return false
  if ('at' in event) {
    hand.state = 'standing'
    return true
  }
  hand.state = 'idle'
  ended.push({ argv: hand.argv, ...event })
  return true
}
