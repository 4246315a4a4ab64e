import { renameSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { record } from '../../src/bus/history.ts'
import { markRead } from '../../src/bus/mail/inbox.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { rotateHistory } from '../../src/bus/upkeep/rotate.ts'
import { systemClock } from '../../src/system/clock.ts'
import { tempBus } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { get, liveTab, openedCookie, openTab, type Tab } from './request.ts'
import { serve } from './served.ts'

const say = (bus: Bus, body = 'hello') =>
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body }).message.id

async function world() {
  const bus = tempBus(['backend', 'frontend'])
  const served = await serve(bus.home)
  onTestFinished(() => served.kill('SIGTERM'))
  return { bus, served, cookie: await openedCookie(served) }
}

const has = (tab: Tab, id: string) => until(`the row ${id}`, () => tab.ids().includes(id))
const last = (tab: Tab) => tab.events.findLast(({ event }) => event === 'row')?.id ?? ''
const kinds = (tab: Tab) => tab.events.map(({ event }) => event)

describe('events', () => {
  test('a tab that was cut gets what it has missed, and that once', async () => {
    const { bus, served, cookie } = await world()
    const first = await liveTab(served, cookie)
    const seen = say(bus)
    await has(first, seen)
    first.cut()
    const missed = [say(bus), say(bus), say(bus)]
    const again = await liveTab(served, cookie, last(first))
    const after = say(bus)
    await has(again, after)
    expect(again.ids()).toEqual([...missed, after])
    expect(kinds(again)).not.toContain('reset')
  })

  test('a server that was killed and began again goes on where it was, for the same cookie', async () => {
    const { bus, served, cookie } = await world()
    const tab = await liveTab(served, cookie)
    const seen = say(bus)
    await has(tab, seen)
    await served.kill('SIGKILL')
    await until('the tab is cut', tab.closed)
    const missed = [say(bus), say(bus)]
    const second = await serve(bus.home, served.port)
    onTestFinished(() => second.kill('SIGTERM'))
    const again = await liveTab(second, cookie, last(tab))
    const after = say(bus)
    await has(again, after)
    expect(again.ids()).toEqual([...missed, after])
  })

  test('a history that is rotated under a tab repeats nothing and loses nothing', async () => {
    const { bus, served, cookie } = await world()
    const ids = Array.from({ length: 20 }, () => say(bus))
    const tab = await liveTab(served, cookie)
    const before = say(bus)
    await has(tab, before)
    const kept = new Set([...ids.slice(10), before])
    await rotateHistory(bus, ({ id }) => kept.has(String(id)))
    const after = say(bus)
    await has(tab, after)
    expect(tab.ids()).toEqual([before, after])
    // A place of the former file is none of this one: whoever has it begins again.
    const late = openTab(served, cookie, `1-${2 ** 40}`)
    await until('it is told to begin again', () => kinds(late).includes('reset'))
  })

  test('whoever asks for the room is told once more what is now: it may have changed back', async () => {
    const { bus, served, cookie } = await world()
    const tab = await liveTab(served, cookie)
    const unseen = (data: unknown) => (data as { unseen: string[] }).unseen
    const id = say(bus)
    const room = await get(served, cookie, '/api/room')
    const told = kinds(tab).length
    expect(unseen(room)).toEqual([id])
    markRead(bus, 'frontend', id)
    await until('what is now', () =>
      tab.events
        .slice(told)
        .some(({ event, data }) => event === 'now' && unseen(data).length === 0),
    )
  })

  test('a clock that is set back hides no message', async () => {
    const { bus, served, cookie } = await world()
    const tab = await liveTab(served, cookie)
    await has(tab, say(bus))
    const clock = systemClock()
    const hour = 3_600_000
    const past = { now: () => clock.now() - hour, micros: () => clock.micros() - hour * 1000 }
    await has(tab, say({ ...bus, clock: past }))
  })

  test('a home that is removed is said to be gone, and shown again when it is back', async () => {
    const { bus, served, cookie } = await world()
    const tab = await liveTab(served, cookie)
    await has(tab, say(bus))
    const aside = `${bus.home.root}.aside`
    renameSync(bus.home.root, aside)
    const gone = () =>
      tab.events.some(({ event, data }) => event === 'now' && /is gone/.test(JSON.stringify(data)))
    await until('it is said', gone)
    renameSync(aside, bus.home.root)
    await until('it is back', () => kinds(tab).includes('reset'))
    await has(tab, say(bus))
    expect(new Set(tab.ids()).size).toBe(tab.ids().length)
  })

  test('a line that a crash cut and a file that is no message break nothing', async () => {
    const { bus, served, cookie } = await world()
    const tab = await liveTab(served, cookie)
    writeFileSync(bus.home.history, '{"at":"2026-11-21T03:39:12.123Z","event":"se\n', { flag: 'a' })
    record(bus, 'bad', { inbox: 'human', file: 'x.md', why: 'it has no header' })
    const id = say(bus)
    await has(tab, id)
    writeFileSync(bus.home.message(id), 'no header')
    const room = await get(served, cookie, '/api/room')
    const rows = room.rows as { id: string; text: string }[]
    expect(rows[0]?.id).toBe(id)
    expect(rows[1]?.text).toContain('x.md in the inbox of @human is no message')
    expect(await get(served, cookie, `/api/thread/${id}`)).toMatchObject({
      error: { message: expect.stringContaining(id), hint: expect.any(String) },
    })
  })

  test('the feed is given in pages, each message once, also while it grows', async () => {
    const { bus, served, cookie } = await world()
    const ids = Array.from({ length: 250 }, (_, at) => say(bus, `message ${at}`))
    type Page = { rows: { id: string }[]; next: string | null }
    let page = (await get(served, cookie, '/api/room')) as Page
    const seen = page.rows.map(({ id }) => id)
    while (page.next !== null) {
      say(bus, 'meanwhile')
      page = (await get(served, cookie, `/api/rows?before=${page.next}`)) as Page
      seen.push(...page.rows.map(({ id }) => id))
    }
    expect(seen).toEqual(ids.reverse())
  })
})
