import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Case } from './cases.ts'
import { copyPlugin, type PluginCopy, ROOM } from './plugin.ts'
import { print, type Result, saveResults } from './report.ts'
import { type Outcome, playRound } from './round.ts'
import { account, type Choice, createStage, type Stage } from './stage.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const FAILURES = join(import.meta.dirname, '..', 'failures')
const RUNS = Number(process.env.AGENT_CHAT_E2E_RUNS || 1)
/** Cases in which no session had the room: `claude -p`, and a client that nobody launched. */
const withoutRoom = new Set<string>()
let plugin: PluginCopy

/** A test for each of these cases, by each of its doorbells. */
export function play(cases: readonly Case[]): void {
  const results: Result[] = []
  beforeAll(async () => {
    plugin = await copyPlugin(process.env.AGENT_CHAT_E2E_PLUGIN || ROOT)
  })
  afterAll(async () => {
    await plugin.remove()
    if (ROOM) console.log(`no room ran in: ${[...withoutRoom].join(', ') || 'none'}`)
    print(results)
    await saveResults(results)
  })
  for (const item of cases) {
    describe(item.name, () => {
      for (const choice of item.doorbells) {
        test(choice, { timeout: 120_000 + RUNS * 120_000 }, async () => {
          const outcomes = await runCase(item, choice)
          results.push({ name: item.name, choice, from: item.from ?? 'the ring', outcomes })
          const bad = outcomes.filter(({ lost, twice, harm }) => lost + twice + harm.length > 0)
          expect(bad.length, bad.map(describeBad).join('\n')).toBe(0)
          expect(outcomes.length).toBe(RUNS)
          // Late is no fault of a case: the runner lets it run once more.
          const late = outcomes.find((one) => one.late !== undefined)
          if (late) throw new Error(`${late.late}\n${late.account}`)
        })
      }
    })
  }
}

/**
 * All runs of a case. A run that fails is followed by a new stage: what it left behind is nobody's
 * starting point.
 */
async function runCase(item: Case, choice: Choice): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let stage: Stage | undefined
  try {
    for (let n = 1; n <= RUNS; n += 1) {
      stage ??= await openStage(item, choice)
      const outcome = await attempt(item, stage, n)
      outcomes.push(outcome)
      const failed = outcome.late || outcome.lost + outcome.twice + outcome.harm.length > 0
      if (failed)
        await stage.save(join(FAILURES, `${item.name}-${choice}-${n}`.replace(/[^\w-]+/g, '-')))
      if (ROOM && !hasRun(stage)) withoutRoom.add(item.name)
      if (!failed && !item.fresh) continue
      await stage.close()
      stage = undefined
    }
  } finally {
    await stage?.close()
  }
  return outcomes
}

/** A room that could not run would make every case pass as if there were none. */
function hasRun({ world }: Stage): boolean {
  const folder = join(world.chat, 'rooms')
  return existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.json'))
}

async function openStage(item: Case, choice: Choice): Promise<Stage> {
  const stage = await createStage(plugin, choice, item.options)
  try {
    await (item.start ? item.start(stage) : stage.launch())
  } catch (error) {
    await stage.save(join(FAILURES, `${item.name}-${choice}-start`.replace(/[^\w-]+/g, '-')))
    await stage.close()
    throw error
  }
  return stage
}

/**
 * A run that could not be brought to its end says nothing good about delivery: its message counts
 * as lost.
 */
async function attempt(item: Case, stage: Stage, n: number): Promise<Outcome> {
  try {
    return await playRound(stage, n, item.run)
  } catch (error) {
    const why = `the run did not come to its end: ${error instanceof Error ? error.message : String(error)}`
    return { sent: 1, lost: 1, twice: 0, harm: [why], latencies: [], account: await account(stage) }
  }
}

function describeBad({ lost, twice, harm, account: told }: Outcome): string {
  const lines = [`${lost} lost, ${twice} rung twice`, ...harm, told ?? '']
  return lines.join('\n').replace(/\n\s*\n+/g, '\n')
}
