import { spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { markRead } from '../bus/mail/inbox.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { formatId } from '../message/id.ts'
import type { ProcessRef } from '../system/processes.ts'
import { runHookProcess } from '../testing/cli.ts'
import { fixedClock } from '../testing/clock.ts'
import { eventsOf, filesIn, tempBus } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import {
  abandonedRing,
  claimRing,
  forgetRings,
  presentRings,
  ringMark,
  settleRing,
  unclaimRing,
  unrungIds,
} from './rings.ts'
import { idsOf, readRings } from './ringsFile.ts'
import { lookAt } from './ringsLook.ts'

const bus = () => tempBus(['frontend'])
const markOf = (here: Bus, id = '') => ringMark(here.home, 'frontend', id)
const marked = (here: Bus) => readRings(here.home, 'frontend').groups.flatMap(idsOf)
const lastRing = (here: Bus) => readRings(here.home, 'frontend').last
const send = (here: Bus, from = 'backend') =>
  sendMessage(here, { from, to: 'frontend', kind: 'note', body: 'ready' }).message.id

/** A process that has ended, as a doorbell that was killed leaves it behind. */
async function deadProcess(here: Bus): Promise<ProcessRef> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const info = here.processes.find(child.pid ?? 0)
  child.kill('SIGKILL')
  await until('sleep to end', () => here.processes.find(child.pid ?? 0) === undefined)
  return { pid: info?.pid ?? 0, started: info?.started ?? '' }
}

describe('a ring', () => {
  test('is claimed once, settled, and presented once', () => {
    const here = bus()
    const ids = [send(here), send(here)]
    expect(claimRing(here, 'frontend', 'tmux')).toEqual(ids)
    expect(claimRing(here, 'frontend', 'native')).toEqual([])
    settleRing(here, 'frontend', 'tmux', ids, false)
    expect(claimRing(here, 'frontend', 'native')).toEqual([])
    expect(markOf(here, ids[0])).toEqual({ by: 'tmux', at: expect.any(String) })
    expect(presentRings(here, 'frontend', 'native')).toEqual([])
    expect(presentRings(here, 'frontend', 'tmux')).toEqual(ids)
    expect(presentRings(here, 'frontend', 'tmux')).toEqual([])
    expect(markOf(here, ids[1])?.presented).toEqual(expect.any(String))
  })

  test('that the session got before the ringer came to say so stays presented', () => {
    const here = bus()
    const id = send(here)
    claimRing(here, 'frontend', 'tmux')
    presentRings(here, 'frontend', 'tmux')
    settleRing(here, 'frontend', 'tmux', [id], false)
    expect(markOf(here, id)?.presented).toEqual(expect.any(String))
  })

  test('that was given back, or forgotten, is there to be claimed', () => {
    const here = bus()
    const ids = [send(here), send(here)]
    claimRing(here, 'frontend', 'tmux')
    unclaimRing(here, 'frontend', [ids[1] ?? ''])
    expect(claimRing(here, 'frontend', 'native')).toEqual([ids[1]])
    forgetRings(here, 'frontend')
    expect(claimRing(here, 'frontend', 'native')).toEqual(ids)
  })

  test('of a process that was killed never happened', async () => {
    const here = bus()
    const ids = [send(here), send(here)]
    const killed = { ...here, processes: { ...here.processes, self: () => dead } }
    const dead = await deadProcess(here)
    claimRing(killed, 'frontend', 'tmux')
    expect(abandonedRing(here, 'frontend', 'tmux')).toEqual(ids)
    expect(abandonedRing(here, 'frontend', 'native')).toEqual([])
    expect(unrungIds(here, 'frontend')).toEqual(ids)
    expect(claimRing(here, 'frontend', 'native')).toEqual(ids)
    expect(abandonedRing(here, 'frontend', 'tmux')).toEqual([])
  })

  test('of a home of an earlier version stands, and its file takes the new form with the next one', () => {
    const here = bus()
    const [first = '', second = ''] = [send(here), send(here)]
    const mark = { by: 'native', at: 'x', presented: 'y' }
    writeFileSync(here.home.rings('frontend'), JSON.stringify({ '@last': mark, [first]: mark }))
    expect(lastRing(here)).toEqual(mark)
    expect(claimRing(here, 'frontend', 'tmux')).toEqual([second])
    expect(markOf(here, first)).toEqual(mark)
    expect(Object.keys(JSON.parse(readFileSync(here.home.rings('frontend'), 'utf8')))).toEqual([
      '@last',
      '@marks',
    ])
  })

  test('takes no lock and writes nothing where nothing is to be done', () => {
    const here = bus()
    const ids = [send(here)]
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), true)
    const before = statSync(here.home.rings('frontend'))
    const lockless = {
      ...here,
      processes: { ...here.processes, self: (): never => expect.unreachable() },
    }
    expect(claimRing(lockless, 'frontend', 'native')).toEqual([])
    settleRing(lockless, 'frontend', 'native', [], true)
    presentRings(here, 'frontend', 'tmux')
    unclaimRing(here, 'frontend', ['x'])
    expect(statSync(here.home.rings('frontend')).ino).toBe(before.ino)
    expect(marked(here)).toEqual(ids)
  })

  test('is remembered only while its message is unread', () => {
    const here = bus()
    const [first = '', second = ''] = [send(here), send(here)]
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), false)
    markRead(here, 'frontend', first)
    send(here)
    claimRing(here, 'frontend', 'tmux')
    expect(marked(here)).not.toContain(first)
    expect(marked(here)).toContain(second)
    expect(filesIn(here.home.states)).toEqual(['frontend.rings.json'])
  })
})

describe('the last ring', () => {
  const at = expect.any(String)

  test('stands as soon as it was done, and is no mark of a message', () => {
    const here = bus()
    const ids = [send(here), send(here)]
    claimRing(here, 'frontend', 'tmux')
    expect(lastRing(here)).toBeUndefined()
    const claimed = markOf(here, ids[0])?.at
    settleRing(here, 'frontend', 'tmux', ids, false)
    expect(lastRing(here)).toEqual({ by: 'tmux', at: claimed })
    expect(marked(here)).toEqual(ids)
    expect(abandonedRing(here, 'frontend', 'tmux')).toEqual([])
  })

  test('outlives its messages, and what is done for others', () => {
    const here = bus()
    const id = send(here)
    settleRing(here, 'frontend', 'native', claimRing(here, 'frontend', 'native'), true)
    markRead(here, 'frontend', id)
    const last = lastRing(here)
    expect(last).toEqual({ by: 'native', at, presented: at })
    send(here)
    unclaimRing(here, 'frontend', claimRing(here, 'frontend', 'tmux'))
    expect(marked(here)).toEqual([])
    expect(lastRing(here)).toEqual(last)
  })

  test('is presented also when its messages were read before, which is news of no message', () => {
    const here = bus()
    const id = send(here)
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), false)
    markRead(here, 'frontend', id)
    // Who adds marks forgets those of what was read.
    send(here)
    unclaimRing(here, 'frontend', claimRing(here, 'frontend', 'native'))
    expect(marked(here)).toEqual([])
    expect(presentRings(here, 'frontend', 'native')).toEqual([])
    expect(lastRing(here)).toEqual({ by: 'tmux', at })
    expect(presentRings(here, 'frontend', 'tmux')).toEqual([])
    expect(lastRing(here)).toEqual({ by: 'tmux', at, presented: at })
  })

  test('that the session got before the ringer came to say so is presented', () => {
    const here = bus()
    const id = send(here)
    claimRing(here, 'frontend', 'tmux')
    presentRings(here, 'frontend', 'tmux')
    settleRing(here, 'frontend', 'tmux', [id], false)
    expect(lastRing(here)?.presented).toEqual(at)
  })

  test('is of the time when it rang, also for a message that another doorbell has rung for', () => {
    const clock = fixedClock('2026-11-21T03:39:12.123Z')
    const here = tempBus(['frontend'], clock)
    const id = send(here)
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), false)
    clock.set(Date.parse('2026-11-21T03:40:00.000Z'))
    settleRing(here, 'frontend', 'prompt', [id], true)
    expect(lastRing(here)).toEqual({
      by: 'prompt',
      at: '2026-11-21T03:40:00.000Z',
      presented: '2026-11-21T03:40:00.000Z',
    })
  })

  test('is forgotten with the rest when another agent begins', () => {
    const here = bus()
    settleRing(here, 'frontend', 'tmux', [send(here)], false)
    forgetRings(here, 'frontend')
    expect(lastRing(here)).toBeUndefined()
  })

  test.each(['null', '7', '[]', '{}', '{"by":"tmux"}'])(
    '%s is none, and the marks beside it stand',
    (text) => {
      const here = bus()
      const id = send(here)
      writeFileSync(
        here.home.rings('frontend'),
        `{"@last": ${text}, "${id}": {"by": "tmux", "at": "x"}}`,
      )
      expect(lastRing(here)).toBeUndefined()
      expect(marked(here)).toEqual([id])
      expect(markOf(here, id)).toEqual({ by: 'tmux', at: 'x' })
    },
  )
})

describe('marks that cannot be read', () => {
  test.each([
    '',
    'x',
    '[]',
    'null',
    '7',
    '{"a":',
    '{"ID": null}',
    '{"ID": 7}',
    '{"ID": {}}',
    '{"@marks":[{"by":"tmux","ids":"ID"}]}',
    '{"@marks":"ID"}',
  ])('%j: rung once more', (text) => {
    const here = bus()
    const id = send(here)
    writeFileSync(here.home.rings('frontend'), text.replace('ID', id))
    expect(abandonedRing(here, 'frontend', 'tmux')).toEqual([])
    expect(presentRings(here, 'frontend', 'tmux')).toEqual([])
    expect(claimRing(here, 'frontend', 'tmux')).toEqual([id])
    expect(claimRing(here, 'frontend', 'tmux')).toEqual([])
  })

  test('nor their directory: it is made again', () => {
    const here = bus()
    const id = send(here)
    rmSync(here.home.states, { recursive: true })
    expect(claimRing(here, 'frontend', 'tmux')).toEqual([id])
  })
})

describe('a large inbox in which everything has been presented', () => {
  const clock = fixedClock(new Date().toISOString())
  const soon = () => clock.set(Date.now() + 10_000)
  const noted = (here: Bus) => readRings(here.home, 'frontend').inbox
  const filled = (count: number) => {
    const here = tempBus(['frontend'], clock)
    for (let number = 0; number < count; number += 1)
      writeFileSync(here.home.unread('frontend', formatId(clock.micros(), 'backend')), '')
    return here
  }

  test('is not listed again until something comes', () => {
    const here = filled(500)
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), true)
    clock.set(Date.now())
    expect(claimRing(here, 'frontend', 'native')).toEqual([])
    // It was changed a moment ago, and might be once more without its time telling.
    expect(noted(here)).toBeUndefined()
    soon()
    expect(claimRing(here, 'frontend', 'native')).toEqual([])
    expect(noted(here)).toEqual(expect.any(String))
    expect(lookAt(here.home, 'frontend').files).toEqual([])
    const id = send(here)
    expect(claimRing(here, 'frontend', 'native')).toEqual([id])
    expect(noted(here)).toBeUndefined()
    expect(marked(here)).toHaveLength(501)
  })

  test.each<[string, number, (here: Bus, ids: string[]) => void]>([
    ['small', 499, () => {}],
    ['given back', 500, (here, ids) => unclaimRing(here, 'frontend', ids.slice(0, 1))],
    ['forgotten', 500, (here) => forgetRings(here, 'frontend')],
    ['lost', 500, (here) => rmSync(here.home.rings('frontend'))],
  ])('is one no more where it is %s', (_, count, spoil) => {
    const here = filled(count)
    const ids = claimRing(here, 'frontend', 'tmux')
    settleRing(here, 'frontend', 'tmux', ids, true)
    soon()
    claimRing(here, 'frontend', 'native')
    expect(noted(here) === undefined).toBe(count < 500)
    spoil(here, ids)
    expect(noted(here)).toBeUndefined()
    expect(lookAt(here.home, 'frontend').files).toHaveLength(count)
  })

  test('is none while a ring was only typed', () => {
    const here = filled(500)
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), false)
    soon()
    expect(claimRing(here, 'frontend', 'native')).toEqual([])
    expect(noted(here)).toBeUndefined()
    presentRings(here, 'frontend', 'tmux')
    expect(claimRing(here, 'frontend', 'native')).toEqual([])
    expect(noted(here)).toEqual(expect.any(String))
  })
})

test('eight processes at once ring once for each of fifty messages that come meanwhile', async () => {
  const here = bus()
  const payload = { file_path: here.home.ring('frontend') }
  const hook = () =>
    runHookProcess('bell', payload, { home: here.home.root, env: { AGENT_CHAT_NAME: 'frontend' } })
  const sent: string[] = []
  const heard: number[] = []
  let runs = 0
  const ringer = async () => {
    while (sent.length < 50 || unrungIds(here, 'frontend').length > 0) {
      const { code, stderr } = await hook()
      runs += 1
      if (code === 2) heard.push(Number(/^\d+/.exec(stderr)?.[0] ?? 1))
    }
  }
  const sender = async () => {
    while (sent.length < 50) {
      const before = runs
      for (let count = 0; count < 5; count += 1) sent.push(send(here, `s${sent.length}`))
      await until('a bell that has been heard', () => runs > before)
    }
  }
  await Promise.all([sender(), ...Array.from({ length: 8 }, ringer)])
  const rung = eventsOf(here.home, 'rung').flatMap(({ ids }) => ids)
  expect(rung.sort()).toEqual(sent.sort())
  expect(heard.reduce((sum, count) => sum + count, 0)).toBe(50)
  expect(heard.length).toBeGreaterThan(3)
})
