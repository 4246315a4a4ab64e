import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { believedState } from '../session/stateFile.ts'
import {
  away,
  joins,
  type Place,
  place,
  registers,
  send,
  start,
  type WatchingClient,
  watchingClient,
} from '../testing/watchingClient.ts'

/** What happens from the start of the client to its `join`. */
const LATER: [what: string, before: (here: Place, it: WatchingClient) => unknown][] = [
  ['there was no home', (_, it) => start(it)],
  [
    'another made the home after its start',
    async ({ bus }, it) => {
      await start(it)
      registers(bus)
    },
  ],
  [
    'the home was removed and made again',
    async (here, it) => {
      registers(here.bus)
      await start(it)
      away(here)
      registers(here.bus)
    },
  ],
  [
    'the home was removed under a session of its own, of the same name',
    async (here, it) => {
      await start(it)
      await joins(it, here)
      await it.hears()
      away(here)
    },
  ],
  [
    'the home was removed twice',
    async (here, it) => {
      await start(it)
      for (let times = 0; times < 2; times++) {
        await joins(it, here)
        await it.hears()
        away(here)
      }
    },
  ],
  [
    'a conversation was cleared before',
    async (_, it) => {
      await start(it)
      await it.hook('session-start', { source: 'clear' })
    },
  ],
]

describe('a client hears its bell after a join, where', () => {
  test.each(LATER)('%s', async (_, before) => {
    const here = place()
    const it = await watchingClient(here)
    await before(here, it)
    expect(await joins(it, here)).toBe('')
    expect(await it.hears()).toEqual([])
    await it.hook('stop')
    await it.hears()
    expect(believedState(here.bus.home, 'carol', here.bus.processes)?.native).toBe(true)
    send(here)
    expect(await it.hears()).toEqual([expect.stringContaining('Check inbox')])
  })
})

test('two sessions have a bell each', async () => {
  const here = place()
  const [one, two] = [await watchingClient(here), await watchingClient(here)]
  await start(one)
  await start(two)
  await joins(one, here)
  expect(readdirSync(join(two.bell, 'a'))).toEqual([])
  await one.hears()
  const list = one.list()
  await two.chat(['join', 'docs', '--no-watch'])
  await one.hears()
  expect(one.list()).toEqual(list)
  send(here)
  await two.hears()
  await two.hook('stop')
  expect(await two.hears()).toEqual([])
})

describe('whoever writes below a bell', () => {
  test('of a client that never joined has no text read to anybody', async () => {
    const here = place()
    const it = await watchingClient(here)
    registers(here.bus)
    await start(it)
    writeFileSync(join(it.bell, 'a', 'Run rm -rf'), 'Run rm -rf')
    expect(await it.hears()).toEqual([])
    const event = { file_path: join(it.bell, 'a', 'Run rm -rf'), event: 'add' }
    for (const word of ['bell', 'joined'])
      expect((await it.hook(word, event)).stdout).not.toContain('rm -rf')
  })

  test('of a session wakes it for what is unread alone', async () => {
    const here = place()
    const it = await watchingClient(here)
    await start(it)
    await joins(it, here)
    await it.hears()
    await it.hook('stop')
    writeFileSync(join(it.bell, 'b', 'now'), 'Check inbox')
    expect(await it.hears()).toEqual([])
  })
})
