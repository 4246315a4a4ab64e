import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { markRead } from '../bus/inbox.ts'
import { sendMessage } from '../bus/send.ts'
import type { ProcessRef } from '../system/processes.ts'
import { runHookProcess } from '../testing/cli.ts'
import { fixedClock } from '../testing/clock.ts'
import { eventsOf, filesIn, tempBus } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import {
  abandonedRing,
  claimRing,
  forgetRings,
  lastRing,
  presentRings,
  readRings,
  settleRing,
  unclaimRing,
  unrung,
} from './rings.ts'

const bus = () => tempBus(['frontend'])
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
    expect(readRings(here.home, 'frontend')[ids[0] ?? '']).toEqual({ by: 'tmux', at: expect.any(String) })
    expect(presentRings(here, 'frontend', 'native')).toEqual([])
    expect(presentRings(here, 'frontend', 'tmux')).toEqual(ids)
    expect(presentRings(here, 'frontend', 'tmux')).toEqual([])
    expect(readRings(here.home, 'frontend')[ids[1] ?? '']?.presented).toEqual(expect.any(String))
  })

  test('that the session got before the ringer came to say so stays presented', () => {
    const here = bus()
    const id = send(here)
    claimRing(here, 'frontend', 'tmux')
    presentRings(here, 'frontend', 'tmux')
    settleRing(here, 'frontend', 'tmux', [id], false)
    expect(readRings(here.home, 'frontend')[id]?.presented).toEqual(expect.any(String))
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
    expect(unrung(ids, readRings(here.home, 'frontend'), here.processes)).toEqual(ids)
    expect(claimRing(here, 'frontend', 'native')).toEqual(ids)
    expect(abandonedRing(here, 'frontend', 'tmux')).toEqual([])
  })

  test('is remembered only while its message is unread', () => {
    const here = bus()
    const [first = '', second = ''] = [send(here), send(here)]
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), false)
    markRead(here, 'frontend', first)
    send(here)
    claimRing(here, 'frontend', 'tmux')
    expect(Object.keys(readRings(here.home, 'frontend'))).not.toContain(first)
    expect(Object.keys(readRings(here.home, 'frontend'))).toContain(second)
    expect(filesIn(here.home.states)).toEqual(['frontend.rings.json'])
  })
})

describe('the last ring', () => {
  const at = expect.any(String)

  test('stands as soon as it was done, and is no mark of a message', () => {
    const here = bus()
    const ids = [send(here), send(here)]
    claimRing(here, 'frontend', 'tmux')
    expect(lastRing(here.home, 'frontend')).toBeUndefined()
    const claimed = readRings(here.home, 'frontend')[ids[0] ?? '']?.at
    settleRing(here, 'frontend', 'tmux', ids, false)
    expect(lastRing(here.home, 'frontend')).toEqual({ by: 'tmux', at: claimed })
    expect(Object.keys(readRings(here.home, 'frontend'))).toEqual(ids)
    expect(abandonedRing(here, 'frontend', 'tmux')).toEqual([])
  })

  test('outlives its messages, and what is done for others', () => {
    const here = bus()
    const id = send(here)
    settleRing(here, 'frontend', 'native', claimRing(here, 'frontend', 'native'), true)
    markRead(here, 'frontend', id)
    const last = lastRing(here.home, 'frontend')
    expect(last).toEqual({ by: 'native', at, presented: at })
    send(here)
    unclaimRing(here, 'frontend', claimRing(here, 'frontend', 'tmux'))
    expect(readRings(here.home, 'frontend')).toEqual({})
    expect(lastRing(here.home, 'frontend')).toEqual(last)
  })

  test('is presented also when its messages were read before, which is news of no message', () => {
    const here = bus()
    const id = send(here)
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), false)
    markRead(here, 'frontend', id)
    // The next change of the marks forgets those of what was read.
    unclaimRing(here, 'frontend', [])
    expect(presentRings(here, 'frontend', 'native')).toEqual([])
    expect(lastRing(here.home, 'frontend')).toEqual({ by: 'tmux', at })
    expect(presentRings(here, 'frontend', 'tmux')).toEqual([])
    expect(lastRing(here.home, 'frontend')).toEqual({ by: 'tmux', at, presented: at })
  })

  test('that the session got before the ringer came to say so is presented', () => {
    const here = bus()
    const id = send(here)
    claimRing(here, 'frontend', 'tmux')
    presentRings(here, 'frontend', 'tmux')
    settleRing(here, 'frontend', 'tmux', [id], false)
    expect(lastRing(here.home, 'frontend')?.presented).toEqual(at)
  })

  test('is of the time when it rang, also for a message that another doorbell has rung for', () => {
    const clock = fixedClock('2026-11-21T03:39:12.123Z')
    const here = tempBus(['frontend'], clock)
    const id = send(here)
    settleRing(here, 'frontend', 'tmux', claimRing(here, 'frontend', 'tmux'), false)
    clock.set(Date.parse('2026-11-21T03:40:00.000Z'))
    settleRing(here, 'frontend', 'prompt', [id], true)
    expect(lastRing(here.home, 'frontend')).toEqual({
      by: 'prompt',
      at: '2026-11-21T03:40:00.000Z',
      presented: '2026-11-21T03:40:00.000Z',
    })
  })

  test('is forgotten with the rest when another agent begins', () => {
    const here = bus()
    settleRing(here, 'frontend', 'tmux', [send(here)], false)
    forgetRings(here, 'frontend')
    expect(lastRing(here.home, 'frontend')).toBeUndefined()
  })

  test.each(['null', '7', '[]', '{}', '{"by":"tmux"}'])('%s is none, and the marks beside it stand', (text) => {
    const here = bus()
    const id = send(here)
    writeFileSync(here.home.rings('frontend'), `{"@last": ${text}, "${id}": {"by": "tmux", "at": "x"}}`)
    expect(lastRing(here.home, 'frontend')).toBeUndefined()
    expect(readRings(here.home, 'frontend')).toEqual({ [id]: { by: 'tmux', at: 'x' } })
  })
})

describe('marks that cannot be read', () => {
  test.each(['', 'x', '[]', 'null', '7', '{"a":', '{"ID": null}', '{"ID": 7}', '{"ID": {}}'])(
    '%j: rung once more',
    (text) => {
      const here = bus()
      const id = send(here)
      writeFileSync(here.home.rings('frontend'), text.replace('ID', id))
      expect(abandonedRing(here, 'frontend', 'tmux')).toEqual([])
      expect(presentRings(here, 'frontend', 'tmux')).toEqual([])
      expect(claimRing(here, 'frontend', 'tmux')).toEqual([id])
      expect(claimRing(here, 'frontend', 'tmux')).toEqual([])
    },
  )

  test('nor their directory: it is made again', () => {
    const here = bus()
    const id = send(here)
    rmSync(here.home.states, { recursive: true })
    expect(claimRing(here, 'frontend', 'tmux')).toEqual([id])
  })
})

test('eight processes at once ring once for each of fifty messages that come meanwhile', async () => {
  const here = bus()
  const payload = { file_path: here.home.ring('frontend') }
  const hook = () => runHookProcess('bell', payload, { home: here.home.root, env: { AGENT_CHAT_NAME: 'frontend' } })
  const sent: string[] = []
  const heard: number[] = []
  let runs = 0
  const ringer = async () => {
    while (sent.length < 50 || unrung(sent, readRings(here.home, 'frontend'), here.processes).length > 0) {
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
