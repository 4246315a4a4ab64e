import type { ChildProcess } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startAgent } from '../../testing/agent.ts'
import { outcome, type Run, startCli } from '../../testing/cli.ts'
import { filesIn, tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'
import type { Bus } from '../bus.ts'
import { beginAsk, endAsk, liveAsks, noteAsk, staleAsks, tidyAsks, waiterOf } from './asks.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e']

/** Processes that wait, each for one session of another. */
function world(...asks: [from: string, to: string, id?: string][]) {
  const bus = tempBus(NAMES)
  // The first to begin makes the directory.
  beginAsk(bus, 'x', 'y', null)
  endAsk(bus)
  const waiters = asks.map(([from, to, id = null]) => {
    const waiter = startAgent(bus)
    noteAsk(bus, { waiter: waiter.ref, from, to, id })
    return waiter
  })
  return { bus, waiters }
}

describe('a circle of sessions that wait for each other', () => {
  const circles: [string, [string, string, string?][], string[], string | null][] = [
    ['of two', [['b', 'a', 'q1']], ['b', 'a'], 'q1'],
    ['of two, whose question is on its way', [['b', 'a']], ['b', 'a'], null],
    ['of three', [['b', 'c', 'q1'], ['c', 'a', 'q2']], ['b', 'c', 'a'], 'q2'], // biome-ignore format: a row
    ['beside others', [['b', 'd'], ['b', 'c', 'q1'], ['d', 'e'], ['c', 'a', 'q2'], ['e', 'd']], ['b', 'c', 'a'], 'q2'], // biome-ignore format: a row
    ['by the shorter way', [['b', 'c'], ['c', 'd'], ['d', 'a'], ['c', 'a', 'q']], ['b', 'c', 'a'], 'q'], // biome-ignore format: a row
  ]

  test.each(circles)(
    '%s is told to the one who would close it, and nothing is noted',
    (_, asks, names, waiting) => {
      const { bus } = world(...asks)
      const before = filesIn(bus.home.asks)
      expect(beginAsk(bus, 'a', 'b', null)).toEqual({ names, waiting })
      expect(filesIn(bus.home.asks)).toEqual(before)
    },
  )

  const ways: [string, [string, string][]][] = [
    ['nobody waits', []],
    ['others wait for the same one', [['c', 'b'], ['d', 'b']]], // biome-ignore format: a row
    ['the one who is asked waits for another', [['b', 'c'], ['c', 'd']]], // biome-ignore format: a row
    ['others wait for the one who asks', [['c', 'a'], ['d', 'c']]], // biome-ignore format: a row
    ['the same question is waited for again', [['a', 'b']]],
    ['others wait in a circle that somebody forced', [['b', 'c'], ['c', 'b']]], // biome-ignore format: a row
  ]

  test.each(ways)('is none where %s', (_, asks) => {
    const { bus } = world(...asks)
    expect(beginAsk(bus, 'a', 'b', 'q')).toBeUndefined()
    expect(liveAsks(bus)).toContainEqual({
      waiter: bus.processes.self(),
      from: 'a',
      to: 'b',
      id: 'q',
    })
    expect(filesIn(bus.home.asks)).toHaveLength(asks.length + 1)
  })

  test('is none once a process in it has ended, however it did, and what it left is removed', async () => {
    const { bus, waiters } = world(['b', 'c'], ['c', 'a'])
    expect(beginAsk(bus, 'a', 'b', null)).toBeDefined()
    await waiters[1]?.end()
    expect(beginAsk(bus, 'a', 'b', null)).toBeUndefined()
    expect(filesIn(bus.home.asks)).toEqual(
      [waiters[0]?.ref.pid, bus.processes.self().pid].map((pid) => `${pid}.json`).sort(),
    )
  })
})

describe('who waits', () => {
  test('is told by question and asker, while its process lives', async () => {
    const { bus, waiters } = world(['a', 'b', 'q1'], ['a', 'c', 'q2'], ['d', 'b'])
    expect(waiterOf(bus, 'q1', 'a')).toEqual(waiters[0]?.ref)
    expect(waiterOf(bus, 'q2', 'a')).toEqual(waiters[1]?.ref)
    expect(waiterOf(bus, 'q1', 'd')).toBeUndefined()
    expect(waiterOf(bus, 'null', 'd')).toBeUndefined()
    await waiters[0]?.end()
    expect(waiterOf(bus, 'q1', 'a')).toBeUndefined()
    // Who only looks removes nothing.
    expect(filesIn(bus.home.asks)).toHaveLength(3)
    expect(staleAsks(bus)).toEqual([bus.home.ask(waiters[0]?.ref.pid ?? 0)])
    tidyAsks(bus)
    expect(filesIn(bus.home.asks)).toHaveLength(2)
    expect(staleAsks(bus)).toEqual([])
  })

  test('is nobody where nobody ever asked', () => {
    const bus = tempBus(['a'])
    expect([liveAsks(bus), staleAsks(bus), waiterOf(bus, 'q', 'a')]).toEqual([[], [], undefined])
    expect(existsSync(bus.home.asks)).toBe(false)
  })

  test('is no more once it says so, and may say so twice', () => {
    const { bus } = world()
    beginAsk(bus, 'a', 'b', 'q')
    endAsk(bus)
    endAsk(bus)
    expect(liveAsks(bus)).toEqual([])
    expect(filesIn(bus.home.asks)).toEqual([])
  })

  test('is not a stranger that has the pid of a dead process', () => {
    const { bus } = world()
    noteAsk(bus, { waiter: { pid: process.ppid, started: 'before' }, from: 'b', to: 'a', id: null })
    expect(beginAsk(bus, 'a', 'b', null)).toBeUndefined()
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"from":"b","to":"a"}',
    '{"waiter":{"pid":"1"},"from":"b","to":"a"}',
  ])('a file that says %j is nobody’s, and is removed', (text) => {
    const { bus } = world()
    writeFileSync(bus.home.ask(1), text)
    writeFileSync(bus.home.ask(2), '{"waiter":{"pid":2,"started":null},"from":"b","to":"a"}')
    writeFileSync(`${bus.home.asks}/notes.txt`, 'mine')
    expect(liveAsks(bus)).toEqual([])
    expect(beginAsk(bus, 'a', 'b', null)).toBeUndefined()
    expect(filesIn(bus.home.asks)).toEqual([`${process.pid}.json`, 'notes.txt'].sort())
  })
})

/** A real command that asks, and how it ends. */
function ask(
  bus: Bus,
  from: string,
  to: string,
  fault?: string,
): { child: ChildProcess; end: Promise<Run> } {
  const env = fault === undefined ? {} : { AGENT_CHAT_FAULT: fault }
  const args = ['ask', `@${to}`, `a question of ${from}`, '--as', from, '--timeout', '20', '--json']
  const child = startCli(args, { home: bus.home.root, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, end: outcome(child) }
}

describe('processes that begin at once', () => {
  test.each([[['a', 'b']], [['a', 'b', 'c']], [NAMES]])(
    'in a ring of %j: one closes it, the others wait',
    async (names) => {
      const bus = tempBus(names)
      const asks = names.map((from, at) => ask(bus, from, names[(at + 1) % names.length] ?? ''))
      await until('all but one to wait for what they have sent', () => {
        return liveAsks(bus).filter(({ id }) => id !== null).length === names.length - 1
      })
      const closing = await Promise.race(asks.map(({ end }) => end))
      expect(closing).toMatchObject({ code: 2, stdout: '' })
      expect(JSON.parse(closing.stderr).error.code).toBe('ASK_CIRCLE')
      expect(filesIn(bus.home.messages)).toHaveLength(names.length - 1)
      expect(liveAsks(bus)).toHaveLength(names.length - 1)
      for (const { child } of asks) child.kill('SIGKILL')
      const codes = (await Promise.all(asks.map(({ end }) => end))).map(({ code }) => code)
      expect(codes.sort()).toEqual([2, ...names.slice(1).map(() => null)])
    },
  )

  test.each(['ask:locked', 'ask:noted'])(
    'one that is killed at %s locks nothing, and waits for nobody',
    async (fault) => {
      const bus = tempBus(['a', 'b'])
      expect((await ask(bus, 'a', 'b', fault).end).signal).toBe('SIGKILL')
      expect(beginAsk(bus, 'b', 'a', null)).toBeUndefined()
      expect(filesIn(bus.home.asks)).toEqual([`${process.pid}.json`])
    },
  )

  test('one that stands still while it looks holds the others up for a moment only', async () => {
    const bus = tempBus(['a', 'b'])
    const { child, end } = ask(bus, 'a', 'b', 'ask:locked:stop')
    await until('it to have the lock', () => existsSync(bus.home.asksLock))
    expect(beginAsk(bus, 'b', 'a', null)).toBeUndefined()
    child.kill('SIGKILL')
    await end
  })
})
