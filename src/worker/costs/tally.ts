import type { Home } from '../../bus/home.ts'
import { namesIn } from '../../system/files.ts'
import { type Cost, costsSince } from './ledger.ts'

/** What workers cost since a time: each of them, and each chain of messages, the dearest first. */
export type Costs = { workers: Spent[]; chains: Spent[] }
export type Spent = { name: string; answers: number; input: number; output: number; usd: number }

/** Adds up what the ledgers of all workers tell, back to `since` (milliseconds since 1970). */
export function costsOf(
  home: Pick<Home, 'workers' | 'workerCosts'>,
  since = Number.NEGATIVE_INFINITY,
): Costs {
  const all = namesIn(home.workers).flatMap((file) => {
    const name = /^([a-z][a-z0-9-]*)\.costs\.jsonl$/.exec(file)?.[1]
    return name === undefined ? [] : costsSince(home, name, since).map((cost) => ({ name, cost }))
  })
  return {
    workers: tally(all.map(({ name, cost }) => [name, cost])),
    chains: tally(all.map(({ cost }) => [cost.chain ?? cost.message, cost])),
  }
}

function tally(costs: [name: string, cost: Cost][]): Spent[] {
  const found = new Map<string, Spent>()
  for (const [name, { input, output, usd }] of costs) {
    const sum = found.get(name) ?? { name, answers: 0, input: 0, output: 0, usd: 0 }
    found.set(name, {
      name,
      answers: sum.answers + 1,
      input: sum.input + input,
      output: sum.output + output,
      usd: sum.usd + usd,
    })
  }
  return [...found.values()].sort((a, b) => b.usd - a.usd || (a.name < b.name ? -1 : 1))
}
