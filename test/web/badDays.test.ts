import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { preloading } from '../../scripts/runtime.mjs'
import type { Bus } from '../../src/bus/bus.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, tempBus } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { get, liveTab, openedCookie, post } from './request.ts'
import { serve } from './served.ts'

async function world(env: (bus: Bus) => Record<string, string> = () => ({})) {
  const bus = tempBus(['backend', 'frontend'])
  const served = await serve(bus.home, 0, env(bus))
  onTestFinished(() => served.kill('SIGTERM'))
  return { bus, served, cookie: await openedCookie(served) }
}

test('on a full disk a send is refused with a sentence, all is still shown, and it works again once there is room', async () => {
  const mark = ({ home }: Bus) => `${home.root}/full`
  const { bus, served, cookie } = await world((own) => ({
    FULL: mark(own),
    ...preloading(join(import.meta.dirname, 'full.cjs')),
  }))
  const before = sendMessage(bus, { from: 'backend', to: 'human', kind: 'note', body: 'x' }).message
  writeFileSync(mark(bus), '')
  const tab = await liveTab(served, cookie)
  const fields = { how: 'send', to: 'backend', text: 'Go on', key: 'k1' }
  expect(await post(served, cookie, 'say', fields)).toMatchObject({
    status: 503,
    body: {
      error: {
        message: expect.stringMatching(/is on a full disk/),
        hint: expect.stringMatching(/free some space, then try again/),
      },
    },
  })
  expect((await get(served, cookie, '/api/room')).rows).toMatchObject([{ id: before.id }])
  rmSync(mark(bus))
  expect((await post(served, cookie, 'say', fields)).status).toBe(200)
  await until('the row comes', () => tab.ids().length === 1)
  expect(eventsOf(bus.home, 'sent').map(({ preview }) => preview)).toEqual(['x', 'Go on'])
})

test('a home that cannot be read is told of with what to do, and looked at again', async () => {
  const { bus, served, cookie } = await world()
  const tab = await liveTab(served, cookie)
  const good = readFileSync(bus.home.sessions)
  writeFileSync(bus.home.sessions, '{"version":')
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'x' })
  const told = () => tab.events.find(({ event }) => event === 'trouble')
  await until('the trouble is told', () => told() !== undefined)
  expect(told()?.data).toMatch(/cannot be read as a registry.*doctor/)
  expect(await get(served, cookie, '/api/room')).toMatchObject({
    error: { message: expect.stringMatching(/cannot be read/), hint: expect.stringMatching(/./) },
  })
  const looks = () => tab.events.filter(({ event }) => event === 'now').length
  const before = looks()
  writeFileSync(bus.home.sessions, good)
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'y' })
  await until('what is now is told again', () => looks() > before)
})

test('what others have not read is told, and that they have read it', async () => {
  const { bus, served, cookie } = await world()
  const { id } = sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'note',
    body: 'x',
  }).message
  expect((await get(served, cookie, '/api/room')).unseen).toEqual([id])
  await runCli(['inbox', 'frontend'], { home: bus.home.root })
  expect((await get(served, cookie, '/api/room')).unseen).toEqual([])
})
