import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { startCli } from '../../src/testing/cli.ts'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { sender } from './count.ts'
import { network } from './netns.ts'
import { end, linked, startLink } from './pair.ts'
import { startSshd } from './sshd.ts'
import {
  childrenOf,
  drained,
  farEnds,
  harmed,
  KILLS,
  kill,
  LONG,
  MESSAGES,
  page,
  pause,
  runCase,
  smallDisk,
} from './world.ts'

test('frozen', () =>
  runCase('the way freezes for 17 s, once, and ssh is ended 8 times', async (pair) => {
    const sent = await harmed(pair, 9, async (link, time) => {
      const ways = childrenOf(link.pid)
      for (const pid of ways) kill(pid, time === 0 ? 'SIGSTOP' : 'SIGTERM')
      if (time > 0) return link
      await pause(17_000)
      for (const pid of ways) kill(pid, 'SIGCONT')
      return link
    })
    return { sent, note: '' }
  }))

const way = network()

const CUT = way ? 'cut' : 'cut: skipped, since a network namespace takes root'

test.skipIf(way === undefined)(CUT, () =>
  runCase(
    'the network between two namespaces is cut 8 times, for 1 to 20 s',
    async (pair) => {
      const cuts = [1000, 2000, 20_000, 3000, 500, 5000, 1000, 17_000]
      const sent = await harmed(pair, cuts.length, async (link, time) => {
        way?.cut()
        await pause(cuts[time] ?? 1000)
        way?.mend()
        return link
      })
      return { sent, note: '' }
    },
    { network: way },
  ),
)

test('two links', () =>
  runCase(
    'two links at once, one dialled from each side, killed by turns 8 times',
    async (pair) => {
      const second = await startSshd(join(pair.a.root, '../ssh-of-a'), {
        a: { home: pair.a.root, peer: 'b' },
      })
      const dialB = () =>
        startCli(['link', 'a', '--peer', 'a', '--', ...second.ssh('a')], {
          home: pair.b.root,
          ...LONG,
        })
      let other: ReturnType<typeof dialB> | undefined
      try {
        const sent = await harmed(pair, 9, async (link, time) => {
          if (time === 0) {
            other = dialB()
            await linked(pair)
            return link
          }
          if (time % 2 === 0) {
            await end(link, 'SIGKILL')
            return startLink(pair, LONG)
          }
          if (other) await end(other, 'SIGKILL')
          other = dialB()
          return link
        })
        return { sent, note: '' }
      } finally {
        if (other) await end(other)
        await second.stop()
      }
    },
  ))

test('a full disk at b', () =>
  runCase(
    'the disk of b is full, then has room again',
    async (pair) => {
      const link = startLink(pair, LONG)
      const sent = Array.from({ length: MESSAGES }, sender(pair.a))
      let before = -1
      await until(
        'nothing more fits',
        async () => {
          const now = filesIn(pair.b.inbox('frontend')).length
          const stuck = now === before && now > 0
          before = now
          await pause(1500)
          return stuck
        },
        60_000,
      )
      const there = filesIn(pair.b.inbox('frontend')).length
      execFileSync('mount', ['-o', 'remount,size=64m', pair.b.root])
      await drained(pair)
      await end(link)
      return { sent, note: `${there} were there when it was full` }
    },
    { home: { of: 'b', make: smallDisk(4) } },
  ))

test('a full disk at a', () =>
  runCase(
    'the disk of a is full while it sends, then has room again',
    async (pair) => {
      const link = startLink(pair, LONG)
      await linked(pair)
      const send = sender(pair.a)
      const sent: string[] = []
      let refused = 0
      while (refused < 20) {
        try {
          sent.push(send())
        } catch (error) {
          if (!/ENOSPC|no space/i.test(String(error))) throw error
          refused += 1
          await pause(50)
        }
      }
      const full = sent.length
      execFileSync('mount', ['-o', 'remount,size=64m', pair.a.root])
      while (sent.length < MESSAGES) sent.push(send())
      await drained(pair)
      await end(link)
      return { sent, note: `full after ${full}; 20 sends were refused` }
    },
    { home: { of: 'a', make: smallDisk(4) } },
  ))

test('kills', () =>
  runCase(`kill -9 of the dialler, ssh or the far end by turns, ${KILLS} times`, async (pair) => {
    const killed = { dialler: 0, ssh: 0, far: 0 }
    const sent = await harmed(pair, KILLS, async (link, time) => {
      if (time % 3 === 0) {
        killed.dialler += 1
        await end(link, 'SIGKILL')
        return startLink(pair, LONG)
      }
      // One that was killed just before is not there yet.
      const victims = await until('there is what is to be killed', () => {
        const found = time % 3 === 1 ? childrenOf(link.pid) : farEnds(pair)
        return found.length > 0 && found
      })
      killed[time % 3 === 1 ? 'ssh' : 'far'] += victims.length
      for (const pid of victims) kill(pid, 'SIGKILL')
      return link
    })
    return { sent, note: `dialler ${killed.dialler}, ssh ${killed.ssh}, far end ${killed.far}` }
  }))

afterAll(() => {
  way?.stop()
  process.stdout.write(page.text())
})
