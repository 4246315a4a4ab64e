import { loadavg } from 'node:os'
import { describe, expect, test } from 'vitest'
import { CLIENTS, type ClientName } from './clients.ts'
import { CHECKS } from './table/checks.ts'
import { DELIVERY } from './table/delivery.ts'
import { write } from './table/page.ts'
import { type Case, NotBegun, type Stage, stageWorld, type Tally } from './table/stage.ts'
import { TURNS } from './table/turns.ts'
import versions from './versions.json' with { type: 'json' }

const {
  AGENT_CHAT_E2E_RUNS: runs = '10',
  AGENT_CHAT_E2E_AGENT: agent,
  AGENT_CHAT_E2E_ONLY: only,
} = process.env
const RUNS = Number(runs)
const ALL = [...DELIVERY, ...CHECKS, ...TURNS]
const CASES = ALL.filter(({ name }) => !only || new RegExp(only).test(name))
const NAMES = (Object.keys(CLIENTS) as ClientName[]).filter((name) => !agent || name === agent)

describe.each(NAMES)('%s', (name) => {
  test.each(CASES.filter((one) => one.only?.includes(name) ?? true))('$name', async (one) => {
    const tally: Tally = { lost: 0, twice: 0, harmed: 0, ms: [] }
    const begun = loadavg()[0] ?? 0
    await playAll(name, one, tally)
    const load = (begun + (loadavg()[0] ?? 0)) / 2
    const row = rowOf(name, one, tally, load)
    console.log(`| ${row.join(' | ')} |`)
    if (process.env.AGENT_CHAT_E2E_WRITE)
      await write([row], ([who = '', what = '']) => {
        const at = Object.keys(CLIENTS).indexOf(who.split(' ')[0] ?? '')
        return at * 100 + ALL.findIndex((known) => known.name === what)
      })
    expect(tally).toMatchObject({ lost: 0, twice: 0, harmed: 0 })
  })
})

/**
 * Each run that goes wrong counts, and the next begins anew. One that was not begun is played again,
 * as often as there are runs at the most.
 */
async function playAll(name: ClientName, one: Case, tally: Tally): Promise<void> {
  let stage: Stage | undefined
  let again = RUNS
  for (let n = 1; n <= RUNS; n += 1) {
    const found = tally.lost + tally.twice + tally.harmed
    try {
      stage ??= await staged(name, one)
      await one.play({ ...stage, n }, tally)
    } catch (error) {
      console.error(`${name}, ${one.name}, run ${n}:`, error)
      if (stage) console.error(await stage.bob.screen().catch(() => 'the pane is gone'))
      if (error instanceof NotBegun && again-- > 0) n -= 1
      else if (tally.lost + tally.twice + tally.harmed === found) tally.harmed += 1
      await stage?.world.close()
      stage = undefined
    }
  }
}

async function staged(name: ClientName, one: Case): Promise<Stage> {
  const world = await stageWorld(name, one)
  const bob = one.fresh ? world.tmux.pane('%none') : await world.start('bob')
  return { name, world, bob, n: 0 }
}

function rowOf(name: ClientName, one: Case, { ms, ...counts }: Tally, load: number): string[] {
  const sorted = [...ms].sort((a, b) => a - b)
  const part = (of: number) => String(sorted[Math.ceil(ms.length * of) - 1] ?? '–')
  const { lost, twice, harmed } = counts
  return [
    ...[`${name} ${versions[name].version}`, one.name],
    ...[RUNS, lost, twice, harmed].map(String),
    ...[part(0.5), part(0.95), load.toFixed(1), new Date().toISOString().slice(0, 10)],
  ]
}
