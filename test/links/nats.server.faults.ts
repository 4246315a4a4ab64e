import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { afterAll, expect, test } from 'vitest'
import { open } from '../../src/link/nats/client.ts'
import { readTicket } from '../../src/link/nats/files.ts'
import { outcome } from '../../src/testing/cli.ts'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { bridgePage as page } from './measure.ts'
import { asAdmin, change, harmed, LIMIT_MS, run } from './natsWorld.ts'
import { MESSAGES, pause } from './world.ts'

const KILLS = Number(process.env.LINKS_KILLS ?? 20)

test('kills of the server', () =>
  run(`kill -9 of nats-server, ${KILLS} times`, async (world) => {
    const sent = await harmed(world, KILLS, async () => {
      await world.team.kill()
      await world.team.start()
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

test('not acknowledged', () =>
  run('the server waits for good for what nobody has in hand', async ({ team, send }) => {
    const { b } = team.homes
    if (b === undefined) throw new Error('no home')
    const sent = Array.from({ length: MESSAGES / 2 }, send)
    await asAdmin(team, async (connection) => {
      const { consumers } = await jetstreamManager(connection, { checkAPI: false })
      await consumers.update('AC_CREW', 'b', { ack_wait: nanos(60 * 60_000) })
    })
    // A bridge that was killed just then: this one takes the next message, and does nothing with it.
    const connection = await open(readTicket(b))
    const consumer = await jetstream(connection).consumers.get('AC_CREW', 'b')
    for (let taken = 0; taken === 0; )
      for await (const _ of await consumer.fetch({ max_messages: 1, expires: 1000 })) taken += 1
    await connection.close()
    while (sent.length < MESSAGES) sent.push(send())
    return { sent, note: '' }
  }))

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
        await until('something arrives', () => world.waiting() < MESSAGES / 2)
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
  process.stdout.write(page.text())
})
