import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Priority } from '../../../src/message/priority.ts'
import { shortId } from '../../../src/message/shortId.ts'
import { eventually } from '../harness/poll.ts'
import { heardRings, shownIds } from './heard.ts'
import { account, type Stage } from './stage.ts'

/** What came of one run of a case. Times in milliseconds. */
export interface Outcome {
  sent: number
  lost: number
  twice: number
  harm: string[]
  /** A wait in vain, where nothing is lost: what was sent is unread still, or was read. */
  late?: string
  /**
   * From the ring, or from the moment at which nothing stood in its way, to the model's request.
   */
  latencies: number[]
  /** For a person who looks into a failure. */
  account?: string
}

/** One run of a case: sends, notes harm, and says from when on a ring could come. */
export interface Round {
  readonly stage: Stage
  /** 1 for the first run of a case. */
  readonly n: number
  /**
   * Sends a message to `to` (frontend) from a session that is not under test, and gives its id.
   * `as`: its priority.
   */
  send(options?: { from?: string; to?: string; as?: Priority }): Promise<string>
  /** Takes over a message that another session sent. */
  sentBy(id: string): void
  /** The obstacle is gone: the ring's time counts from here. */
  free(): void
  /** Notes a harm where `ok` is false. */
  unharmed(ok: boolean, harm: string): void
  /** The rings heard since the run began. */
  rings(): ReturnType<typeof heardRings>
  /** A message that must cause no ring of its own: it was read before. */
  expectNoRing(id: string): void
  /** This many rings are right; 1 where a case says nothing. */
  expectRings(count: number): void
  /** More sessions than one are rung; the times of all count. */
  measureEach(names: readonly string[]): void
  /** Rings of before may come again: a new agent has got none of them. */
  mayRingAgain(): void
}

/** Runs a case once, and finds out what became of its messages. */
export async function playRound(
  stage: Stage,
  n: number,
  play: (round: Round) => Promise<void>,
  name = 'frontend',
): Promise<Outcome> {
  const before = heardRings(stage.requests()).length
  const memory = {
    ids: [] as string[],
    quiet: [] as string[],
    harm: [] as string[],
    expected: 1,
    again: false,
    names: [name] as readonly string[],
    late: undefined as string | undefined,
  }
  let from: number | undefined
  const rings = () => heardRings(stage.requests()).slice(before)
  const round: Round = {
    ...{ stage, n, rings },
    send: async ({ from: sender = 'backend', to = name, as } = {}) => {
      const words = [
        'send',
        `@${to}`,
        `run ${n}: look at the contract`,
        '--json',
        ...(as === undefined ? [] : [`--${as}`]),
      ]
      const said = await stage.chat(words, { AGENT_CHAT_NAME: sender })
      const id = /^\{"id":"([^"]+)"/.exec(said)?.[1]
      if (id === undefined) throw new Error(`send printed: ${said}`)
      memory.ids.push(id)
      return id
    },
    sentBy: (id) => {
      memory.ids.push(id)
    },
    free: () => {
      from = Date.now()
    },
    unharmed: (ok, harm) => {
      if (!ok) memory.harm.push(harm)
    },
    expectNoRing: (id) => {
      memory.quiet.push(id)
    },
    expectRings: (count) => {
      memory.expected = count
    },
    measureEach: (names) => {
      memory.names = names
      memory.expected = names.length
    },
    mayRingAgain: () => {
      memory.again = true
    },
  }
  const ids = () => memory.ids.filter((id) => !memory.quiet.includes(id))
  try {
    await play(round)
    await eventually('every message to be read', () => missing(stage, ids()).length === 0)
    for (const each of memory.names) if (await stage.registered(each)) await stage.idle(each)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (!/^waited \d+ ms in vain/.test(why)) throw error
    memory.late = why
  }
  const lost = missing(stage, ids()).filter((id) => !isUnread(stage, id))
  const heard = rings()
  const twice = (await rungTwice(stage, memory)) + Math.max(0, heard.length - memory.expected)
  const latencies: number[] = []
  for (const each of memory.names) {
    const start = from ?? (await stage.bellAt(each))
    const first = heard.find(
      ({ at, name: whose }) => at >= start && (memory.names.length === 1 || whose === each),
    )
    if (first) latencies.push(first.at - start)
  }
  const outcome: Outcome = {
    sent: memory.ids.length,
    lost: lost.length,
    twice,
    harm: memory.harm,
    ...(memory.late === undefined ? {} : { late: memory.late }),
    latencies,
  }
  if (memory.late || lost.length + twice + memory.harm.length > 0)
    outcome.account = await account(stage)
  return outcome
}

/** The messages that the model has not seen. */
function missing(stage: Stage, ids: string[]): string[] {
  const shown = shownIds(stage.requests())
  return ids.filter((id) => !shown.has(shortId(id)))
}

/** Whether a message waits in an inbox: it is late, and not lost. */
function isUnread({ world }: Stage, id: string): boolean {
  const inboxes = join(world.chat, 'inbox')
  return readdirSync(inboxes).some((name) => existsSync(join(inboxes, name, `${id}.md`)))
}

/**
 * How many messages more than one doorbell rang for, or one doorbell more than once, or that were
 * rung for in vain.
 */
async function rungTwice(
  stage: Stage,
  memory: { ids: string[]; quiet: string[]; again: boolean },
): Promise<number> {
  if (memory.again) return 0
  const rung = (await stage.events('rung')).flatMap(({ ids }) => ids as string[])
  const times = (id: string) => rung.filter((other) => other === id).length
  return memory.ids.filter((id) => times(id) > (memory.quiet.includes(id) ? 0 : 1)).length
}
