import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { type PostPorts, post } from '../../chat/post.ts'
import { HUMAN } from '../../message/name.ts'
import { isoTime, midnight } from '../../message/time.ts'
import { appendLine, makeDirectory } from '../../system/files.ts'
import { linesFromEnd } from '../../system/lines.ts'

/**
 * What one result cost: the tokens and dollars since the result before it, as the client counts
 * them. `at`: ISO 8601.
 */
export type Cost = {
  at: string
  message: string
  chain: string | null
  conversation: string
  input: number
  output: number
  usd: number
}

/** Keeps a cost: the client forgets its own at a kill, and its budget at a resume. */
export function noteCost({ home }: Pick<Bus, 'home'>, name: string, cost: Cost): void {
  makeDirectory(home.workers)
  appendLine(home.workerCosts(name), JSON.stringify(cost))
}

/** Dollars since midnight, in the user's time zone. */
export function spentToday(home: Pick<Home, 'workerCosts'>, name: string, now: number): number {
  return costsSince(home, name, midnight(now)).reduce((sum, { usd }) => sum + usd, 0)
}

/** The costs of a worker since a time, the newest first. Reads no further back than that. */
export function costsSince(home: Pick<Home, 'workerCosts'>, name: string, since: number): Cost[] {
  return linesSince(home, name, since).filter(isCost)
}

/** Whether no turn may begin today. The human is told once a day. */
export async function overBudget(
  { name, budgetUsd }: { name: string; budgetUsd?: number | undefined },
  ports: PostPorts,
): Promise<boolean> {
  if (budgetUsd === undefined) return false
  const { home, clock } = ports.bus()
  const now = clock.now()
  const spent = spentToday(home, name, now)
  if (spent < budgetUsd) return false
  const today = linesSince(home, name, midnight(now))
  if (today.some(({ told }) => told === budgetUsd)) return true
  // Noted first: a worker that is killed in between says nothing, rather than the same again.
  appendLine(home.workerCosts(name), JSON.stringify({ at: isoTime(now), told: budgetUsd }))
  const body = `I have spent $${spent.toFixed(2)} today, and my budget is $${budgetUsd.toFixed(2)} a day. I answer no message until midnight. To let me go on, raise budget_usd in my definition, then: agent-chat restart ${name}`
  await post(
    {
      from: name,
      to: HUMAN,
      kind: 'note',
      subject: `the budget of @${name} is spent`,
      body,
      // The program tells it, not the model: it is no message of a turn.
      lineage: { chain: undefined, hops: 0 },
    },
    ports,
  )
  return true
}

type Entry = { at: string } & Record<string, unknown>

function linesSince(home: Pick<Home, 'workerCosts'>, name: string, since: number): Entry[] {
  const found: Entry[] = []
  for (const line of linesFromEnd(home.workerCosts(name))) {
    const entry = entryOf(line)
    if (!entry) continue
    if (Date.parse(entry.at) < since) break
    found.push(entry)
  }
  return found
}

/** A line that a crash cut short tells nothing. */
function entryOf(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'at' in value
      ? (value as Entry)
      : undefined
  } catch {
    return undefined
  }
}

function isCost(entry: Entry): entry is Cost {
  return (
    [entry.message, entry.conversation].every((text) => typeof text === 'string') &&
    [entry.input, entry.output, entry.usd].every((number) => Number.isFinite(number))
  )
}
