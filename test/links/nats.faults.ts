import { afterAll, test } from 'vitest'
import { outcome } from '../../src/testing/cli.ts'
import { bridgePage as page } from './measure.ts'
import { harmed, LIMIT_MS, run } from './natsWorld.ts'
import { network } from './netns.ts'
import { KILLS, pause } from './world.ts'

test('kills of the bridges', () =>
  run(`kill -9 of the bridge of a or b, ${KILLS} times`, async (world) => {
    const { bridges, team } = world
    const sent = await harmed(world, KILLS, async (time) => {
      const which = time % 2
      const child = bridges[which]
      if (child === undefined) return
      const gone = outcome(child)
      child.kill('SIGKILL')
      await gone
      bridges[which] = team.bridge(which === 0 ? 'a' : 'b', LIMIT_MS)
    })
    return { sent, note: '' }
  }))

const way = network()

const CUT = way ? 'cut' : 'cut: skipped, since a network namespace takes root'

test.skipIf(way === undefined)(CUT, () =>
  run(
    'the network between the bridges and the server is cut 8 times, for 0.5 to 20 s',
    async (world) => {
      const cuts = [1000, 2000, 20_000, 3000, 500, 5000, 1000, 15_000]
      const sent = await harmed(world, cuts.length, async (time) => {
        way?.cut()
        await pause(cuts[time] ?? 1000)
        way?.mend()
      })
      return { sent, note: '' }
    },
    { network: way },
  ),
)

afterAll(() => {
  way?.stop()
  process.stdout.write(page.text())
})
