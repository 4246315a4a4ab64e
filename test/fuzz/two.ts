import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { sweepHome } from '../../src/doctor/sweep.ts'
import { tempBus } from '../../src/testing/home.ts'
import { type Actor, buildActor, startActor } from './actors.ts'
import { forAll } from './cases.ts'
import { interleave, type Plan, type Turn } from './interleave.ts'
import {
  expectKept,
  expectNobodyAwaited,
  expectNumbers,
  expectShown,
  expectTasks,
} from './twoChecks.ts'
import { type Chosen, choices, killing, planOf, turn, turnsOf } from './twoPlans.ts'

function sweep(bus: Bus, mend: boolean) {
  const now = () => bus.clock.now() + 120_000
  return sweepHome({ ...bus, clock: { now, micros: () => now() * 1000 } }, { mend })
}

export function twoProcessProperties(): void {
  describe('two processes, one step of the one and one of the other', () => {
    const directory = mkdtempSync(join(tmpdir(), 'agent-chat-test-'))
    let actors: [Actor, Actor]
    beforeAll(async () => {
      const script = await buildActor(directory)
      actors = [startActor(script), startActor(script)]
    })
    afterAll(async () => {
      await Promise.all(actors.map((actor) => actor.kill()))
      rmSync(directory, { recursive: true, force: true })
    })

    const run = async (mine: [Chosen[], Chosen[]], order: Turn[], killed: boolean) => {
      const bus = tempBus(['ada', 'bob', 'cyd'])
      chmodSync(bus.home.sessions, 0o600)
      const [ada, bob] = mine
      const plans: [Plan[], Plan[]] = [
        ada.map((one) => planOf(bus.home, ['ada', 'bob'], one)),
        bob.map((one) => planOf(bus.home, ['bob', 'ada'], one)),
      ]
      const ended = await interleave(bus.home.root, actors, plans, order)
      for (const { argv, code, stderr } of ended)
        expect([0, 2, 4, 5, 8, undefined], `${argv.join(' ')}: ${stderr}`).toContain(code)
      if (killed) await sweep(bus, true)
      expect(await sweep(bus, false)).toEqual([])
      expectKept(bus, ended, killed)
      expectShown(bus, ended, killed)
      expectNobodyAwaited(bus)
      expectNumbers(bus, ended)
      await expectTasks(bus)
    }

    test('lose nothing, show nothing twice, keep each sender in order, and agree on tasks and names', async () => {
      const property = fc.asyncProperty(choices, choices, turnsOf(turn), (one, two, order) =>
        run([one, two], order, false),
      )
      await forAll('interleavings', 80, property)
    })

    test('and where one is killed, doctor mends what it left, and nothing that was sent is lost', async () => {
      const property = fc.asyncProperty(choices, choices, turnsOf(killing), (one, two, order) =>
        run([one, two], order, true),
      )
      await forAll('killed interleavings', 30, property)
    })
  })
}
