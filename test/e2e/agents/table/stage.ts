import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Pane } from '../../harness/pane.ts'
import { eventually } from '../../harness/poll.ts'
import type { ClientName } from '../clients.ts'
import type { Answer, Asked } from '../responses.ts'
import { type AgentWorld, agentWorld } from '../world.ts'

/** What came of all runs of a case. `ms`: from the message, or from when nothing is in its way. */
export type Tally = { lost: number; twice: number; harmed: number; ms: number[] }

/** What the session was to do as the message comes was not brought about: that is no run. */
export class NotBegun extends Error {}

/** A session called bob, and this run's number: texts and files of a run have it in their names. */
export type Stage = { name: ClientName; world: AgentWorld; bob: Pane; n: number }

/**
 * A case: what is played each time. It counts what it finds, and throws where something did not
 * come to pass. `fresh`: each time starts its own sessions. `setUp`: whether our hooks are set up.
 */
export type Case = {
  name: string
  rule?: (asked: Asked) => Answer
  fresh?: true
  setUp?: false
  /** The clients that it is played on, where those are not all. */
  only?: readonly ClientName[]
  play: (stage: Stage, tally: Tally) => Promise<void>
}

const words = (n: string) => 'one two three four five six seven eight'.replace(/\w+/g, `$&-${n}`)

/**
 * `RUN cmd` and a ring run a command; `ASK n` one for which the client opens its dialog; `SLOW n` is
 * an answer of 3 s, `SLOWER n` one of 8; all else is `ok`.
 */
export function model({ prompt, results }: Asked): Answer {
  if (results.length > 0) return { say: 'done' }
  // Gemini CLI gives a prompt behind one that was not answered as a part of the same.
  if (/Check inbox\.\s*(<|$)/.test(prompt)) return { run: 'agent-chat inbox' }
  const run = /RUN (.*)/.exec(prompt)?.[1]
  if (run) return { run }
  const asked = /ASK (\d+)/.exec(prompt)?.[1]
  if (asked) return { run: `touch asked-${asked}`, asked: true }
  const [, er, slow] = /SLOW(ER)? (\d+)/.exec(prompt) ?? []
  return slow ? { say: words(slow), ms: er ? 8000 : 3000 } : { say: 'ok' }
}

export const isRing = (prompt: string) => /Check inbox\./.test(prompt)
export const rung = ({ prompt, results }: Asked) => isRing(prompt) && results.length === 0

/** Whether the answer of the slow turn of this run stands whole in the conversation. */
export const isWhole = ({ text }: Asked, n: number) =>
  words(String(n))
    .split(' ')
    .every((word) => text.includes(word))

export async function stageWorld(name: ClientName, one: Case): Promise<AgentWorld> {
  const world = await agentWorld(name, one.rule ?? model)
  if (one.setUp !== false) await setUp(world, name)
  return world
}

/** Sets up our hooks, and has them trusted. */
export async function setUp({ chat, client }: AgentWorld, name: ClientName): Promise<void> {
  await chat('setup', '--agent', name, ...(client.trusts ? ['--yes'] : []))
}

/**
 * A person submits this. Gemini CLI may draw a text before its Enter acts on it: they press it once
 * more.
 */
export async function say({ bob, world }: Stage, text: string): Promise<void> {
  const { ready, dialog, picker } = world.client
  await bob.submit(text)
  const isTaken = (screen: string) => [ready, dialog, picker.shows].some((one) => one.test(screen))
  await bob.waitFor(isTaken, 2000).catch(() => bob.key('Enter'))
}

/** One sender for each run: a session that sends more than 20 messages in 10 minutes is held. */
export async function tell({ world }: Pick<Stage, 'world'>, text: string, ...more: string[]) {
  const from = `lead-${/\d+/.exec(text)?.[0] ?? 0}`
  return sentAt(await world.chat('send', '@bob', text, '--as', from, '--json', ...more))
}

/** By the id of the message: its time in microseconds. */
function sentAt(printed: string): number {
  const [, day = '', hours = '', minutes = '', seconds = ''] =
    /(\d{8})T(\d\d)(\d\d)(\d\d\.\d{3})\d*Z-from-lead/.exec(printed) ?? []
  const date = day.replace(/(....)(..)(..)/, '$1-$2-$3')
  return Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`)
}

/** The message was read in a turn that one ring began. Gives the request that was told of it. */
export async function delivered(
  { world }: Pick<Stage, 'world'>,
  { text, since, from }: { text: string; since: number; from: number },
  tally: Tally,
): Promise<Asked | undefined> {
  const isRead = ({ results }: Asked) => results.some((result) => result.includes(text))
  const read = await world.model.waitFor(text, isRead, from).catch((error: Error) => {
    console.error(error.message)
  })
  if (!read) {
    tally.lost += 1
    return undefined
  }
  const rings = world.model.asked.slice(from).filter(rung)
  if (rings.length > 1) tally.twice += 1
  if (rings[0]) tally.ms.push(rings[0].at - since)
  return read
}

/** The turn is over, as the session's state and its screen say. */
export async function over({ world, bob }: Stage, session = 'bob'): Promise<void> {
  await eventually('the end of the turn', async () =>
    /\b(idle|finished)\b/.test(await world.chat('status', session)),
  )
  await bob.waitFor(world.client.ready)
}

/** The doorbell has looked, and waits. */
export function waits({ world }: Pick<Stage, 'world'>, session = 'bob'): Promise<boolean> {
  const note = join(world.chatHome, 'state', `${session}.waiting.json`)
  return eventually('the doorbell to wait', () => existsSync(note))
}
