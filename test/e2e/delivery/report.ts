import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { pinnedVersion } from '../harness/install.ts'
import type { Outcome } from './round.ts'
import type { Choice } from './stage.ts'

export interface Result {
  name: string
  choice: Choice
  from: string
  outcomes: readonly Outcome[]
}

const HEAD = [
  'case',
  'doorbell',
  'runs',
  'sent',
  'lost',
  'twice',
  'harmed',
  'p50 ms',
  'p95 ms',
  'counted from',
]
const BEGIN = '<!-- measured: begin -->'
const END = '<!-- measured: end -->'

/** Prints what was measured, and with `page` writes it there, between its two marks. */
export async function report(
  results: readonly Result[],
  runs: number,
  page: string | undefined,
): Promise<void> {
  const rows = [...results.map(row), ...totals(results)]
  const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const table = lines.join('\n')
  console.log(`\n${table}\n`)
  for (const { name, choice, outcomes } of results) {
    for (const { harm } of outcomes)
      for (const text of harm) console.log(`${name}, ${choice}: ${text}`)
  }
  if (page === undefined) return
  const text = await readFile(page, 'utf8')
  const measured = `${BEGIN}\n${await circumstances(runs)}\n\n${table}\n${END}`
  await writeFile(
    page,
    text.replace(new RegExp(`${BEGIN}[\\s\\S]*${END}`), () => measured),
  )
}

/** The value under which a share of the values lies; undefined where there are none. */
function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
}

function row({ name, choice, from, outcomes }: Result): string[] {
  return [name, choice, ...numbers(outcomes), from]
}

/**
 * One line a doorbell: all cases, and the time of those in which nothing stood between the ring and
 * the model.
 */
function totals(results: readonly Result[]): string[][] {
  const choices = [...new Set(results.map(({ choice }) => choice))]
  return choices.map((choice) => {
    const mine = results.filter((result) => result.choice === choice)
    const all = mine.flatMap(({ outcomes }) => outcomes)
    const idle = mine.filter(({ name }) => name === 'idle').flatMap(({ outcomes }) => outcomes)
    const counts = numbers(all).slice(0, -2)
    return [
      '**all**',
      `**${choice}**`,
      ...counts,
      ...numbers(idle).slice(-2),
      'the ring, idle sessions',
    ]
  })
}

function numbers(outcomes: readonly Outcome[]): string[] {
  const sum = (pick: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const times = outcomes.flatMap(({ latencies }) => latencies)
  const time = (share: number) => percentile(times, share)?.toFixed(0) ?? '–'
  const counts = [
    outcomes.length,
    sum(({ sent }) => sent),
    sum(({ lost }) => lost),
    sum(({ twice }) => twice),
  ]
  const harmed = outcomes.filter(({ harm }) => harm.length > 0).length
  return [...counts.map(String), String(harmed), time(0.5), time(0.95)]
}

async function circumstances(runs: number): Promise<string> {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`
  const versions = `Claude Code ${await pinnedVersion()}, Node ${process.versions.node}, ${process.platform}`
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${runs} runs a case; ${machine}; ${versions}.`
}
