import { randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { pinnedVersion } from '../harness/install.ts'
import { CASES } from './cases.ts'
import type { Outcome } from './round.ts'
import type { Choice } from './stage.ts'

const PAGE = join(import.meta.dirname, '../../../docs/evidence/delivery.md')

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

/** Where the files of cases leave their results for the page; without it, none is written. */
const RESULTS = process.env.AGENT_CHAT_E2E_WRITE

/** Keeps what the cases of one file gave, until all have run. */
export async function saveResults(results: readonly Result[]): Promise<void> {
  if (RESULTS === undefined || results.length === 0) return
  await writeFile(join(RESULTS, `${randomUUID()}.json`), JSON.stringify(results))
}

/** Once all cases have run, writes what they gave into the page, between its two marks. */
export function setup(): () => Promise<void> {
  return async () => {
    if (RESULTS === undefined) return
    const files = await readdir(RESULTS)
    if (files.length === 0) return
    const all = await Promise.all(files.map((file) => readFile(join(RESULTS, file), 'utf8')))
    const order = CASES.map(({ name }) => name)
    const results: Result[] = all.flatMap((text) => JSON.parse(text))
    results.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    const text = await readFile(PAGE, 'utf8')
    const measured = `${BEGIN}\n${await circumstances()}\n\n${tableOf(results)}\n${END}`
    await writeFile(
      PAGE,
      text.replace(new RegExp(`${BEGIN}[\\s\\S]*${END}`), () => measured),
    )
  }
}

/** Prints what was measured. */
export function print(results: readonly Result[]): void {
  console.log(`\n${tableOf(results)}\n`)
  for (const { name, choice, outcomes } of results) {
    for (const { harm } of outcomes)
      for (const text of harm) console.log(`${name}, ${choice}: ${text}`)
  }
}

function tableOf(results: readonly Result[]): string {
  const rows = [...results.map(row), ...totals(results)]
  return [HEAD, HEAD.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
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

async function circumstances(): Promise<string> {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`
  const versions = `Claude Code ${await pinnedVersion()}, Node ${process.versions.node}, ${process.platform}`
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${process.env.AGENT_CHAT_E2E_RUNS} runs a case; ${machine}; ${versions}.`
}
