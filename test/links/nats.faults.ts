import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { afterAll, expect, test } from 'vitest'
import { open } from '../../src/link/nats/client.ts'
import { certificateOf, readTeam } from '../../src/link/nats/files.ts'
import { outcome } from '../../src/testing/cli.ts'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { count, SENDERS, sender } from './count.ts'
import { bridgePage as page } from './measure.ts'
import { hears, makeTeam, type TeamWorld } from './nats.ts'
import { type Network, network } from './netns.ts'

const MESSAGES = Number(process.env.LINKS_MESSAGES ?? 2000)
const KILLS = Number(process.env.LINKS_KILLS ?? 20)
const LIMIT_MS = 280_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Work = { team: TeamWorld; send: () => string; waiting: () => number; bridges: ChildProcess[] }

/** A team of a and b, a case, and its row. */
async function run(
  name: string,
  work: (world: Work) => Promise<{ sent: string[]; note: string }>,
  network?: Network,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-nats-'))
  const team = await makeTeam(directory, { a: SENDERS, b: ['frontend'] }, network)
  const { a, b } = team.homes
  try {
    if (a === undefined || b === undefined) throw new Error('no homes')
    const bridges = ['a', 'b'].map((host) => team.bridge(host, LIMIT_MS))
    await hears(team, 'a', 'b')
    await hears(team, 'b', 'a')
    const waiting = () => filesIn(a.out('b')).length
    const { sent, note } = await work({ team, send: sender(a), waiting, bridges })
    await until('all has arrived', () => waiting() === 0, 200_000)
    const counts = count(b, sent)
    page.row(name, counts, note)
    expect(counts).toEqual({ sent: sent.length, lost: 0, twice: 0, order: 0 })
  } finally {
    await team.stop()
    network?.stop()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function asAdmin(
  team: TeamWorld,
  work: (connection: NatsConnection) => Promise<unknown>,
): Promise<void> {
  const { a } = team.homes
  if (a === undefined) throw new Error('no home')
  const connection = await open({ ...readTeam(a), ca: certificateOf(a) })
  await work(connection)
  await connection.close()
}

/** The stream of the team, changed. */
const change = (team: TeamWorld, config: object) =>
  asAdmin(team, async (connection) => {
    const { streams } = await jetstreamManager(connection, { checkAPI: false })
    await streams.update('AC_CREW', config)
  })

/** Sends all, doing harm each time after so many. */
async function harmed(
  { send, waiting }: Work,
  times: number,
  harm: (time: number) => Promise<void>,
): Promise<string[]> {
  const sent: string[] = []
  for (let time = 0; time < times; time += 1) {
    const before = waiting()
    for (let n = 0; n < Math.ceil(MESSAGES / times); n += 1) sent.push(send())
    const most = before + Math.ceil(MESSAGES / times)
    await until('something arrives', () => waiting() < most, 60_000)
    await harm(time)
  }
  return sent
}

test('kills of the server', () =>
  run(`kill -9 of nats-server, ${KILLS} times`, async (world) => {
    const sent = await harmed(world, KILLS, async () => {
      await world.team.kill()
      await world.team.start()
    })
    return { sent, note: '' }
  }))

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

test('offline', () =>
  run('no server while all is sent', async ({ team, send }) => {
    await team.kill()
    const sent = Array.from({ length: MESSAGES }, send)
    const began = performance.now()
    await team.start()
    const { a } = team.homes
    await until('all has arrived', () => filesIn(a?.out('b') ?? '').length === 0, 200_000)
    const seconds = (performance.now() - began) / 1000
    return { sent, note: `drained at ${Math.round(MESSAGES / seconds)}/s` }
  }))

test('store deleted', () =>
  run("the server's store deleted, then bridge init", async (world) => {
    const { team } = world
    const sent = await harmed(world, 2, async (time) => {
      if (time > 0) return
      await team.kill()
      rmSync(team.store, { recursive: true, force: true })
      await team.start()
      expect(await team.run('a', 'bridge', 'init')).toMatchObject({ code: 0 })
    })
    return { sent, note: '' }
  }))

test('stream full', () =>
  run('the stream full for 3 s, 4 times', async (world) => {
    const sent = await harmed(world, 4, async () => {
      await change(world.team, { max_bytes: 1 })
      await pause(3000)
      await change(world.team, { max_bytes: 512 * 1024 * 1024 })
    })
    return { sent, note: '' }
  }))

test('dedupe window', () =>
  run('a dedupe window of 0.2 s, the bridge of a killed 10 times', async (world) => {
    const { bridges, team } = world
    await change(team, { duplicate_window: nanos(200) })
    const sent = await harmed(world, 10, async () => {
      const child = bridges[0]
      if (child === undefined) return
      const gone = outcome(child)
      child.kill('SIGKILL')
      await gone
      await pause(400)
      bridges[0] = team.bridge('a', LIMIT_MS)
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
    way,
  ),
)

test('full disk of the server', () =>
  run(
    'the disk of the server full, its limits left out, then room and a restart',
    async (world) => {
      const { team, send } = world
      await team.kill()
      rmSync(team.store, { recursive: true, force: true })
      mkdirSync(team.store)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', team.store])
      try {
        await team.start()
        expect(await team.run('a', 'bridge', 'init')).toMatchObject({ code: 0 })
        const filler = join(team.store, 'filler')
        const sent = Array.from({ length: MESSAGES / 2 }, send)
        await until('something arrives', () => world.waiting() < MESSAGES / 2, 60_000)
        try {
          writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024))
        } catch {
          // It is full now.
        }
        await pause(5000)
        const stuck = world.waiting()
        rmSync(filler)
        execFileSync('mount', ['-o', 'remount,size=64m', team.store])
        await pause(5000)
        const alone = world.waiting() < stuck
        if (!alone) {
          await team.kill()
          await team.start()
        }
        while (sent.length < MESSAGES) sent.push(send())
        await until('all has arrived', () => world.waiting() === 0, 200_000)
        return { sent, note: alone ? 'it went on by itself' : 'it took a restart of the server' }
      } finally {
        await team.kill()
        execFileSync('umount', ['-l', team.store])
      }
    },
  ))

afterAll(() => {
  way?.stop()
  process.stdout.write(page.text())
})
