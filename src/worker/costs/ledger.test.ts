import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { readUnread } from '../../bus/mail/inbox.ts'
import type { PostPorts } from '../../chat/post.ts'
import { isoTime } from '../../message/time.ts'
import { tempBus } from '../../testing/home.ts'
import { noteCost, overBudget, spentToday } from './ledger.ts'
import { costsOf } from './tally.ts'

const DAY_MS = 24 * 3_600_000

const portsOf = (bus: Bus): PostPorts => ({
  env: { AGENT_CHAT_NOTIFY: 'off' },
  bus: () => bus,
  notice: () => {},
  self: { node: process.execPath, script: '/none', root: '/' },
})

const note = (bus: Bus, name: string, usd: number, more: { chain?: string; ago?: number } = {}) =>
  noteCost(bus, name, {
    at: isoTime(bus.clock.now() - (more.ago ?? 0)),
    message: 'm',
    chain: more.chain ?? null,
    conversation: 'c',
    input: 100,
    output: 10,
    usd,
  })

test('only what was spent today counts, and a torn line counts nothing', () => {
  const bus = tempBus(['coder'])
  expect(spentToday(bus.home, 'coder', bus.clock.now())).toBe(0)
  note(bus, 'coder', 5, { ago: DAY_MS })
  note(bus, 'coder', 0.25)
  appendFileSync(bus.home.workerCosts('coder'), '{"at":"2026-11-22T')
  note(bus, 'coder', 0.5)
  expect(spentToday(bus.home, 'coder', bus.clock.now())).toBe(0.75)
})

test('beyond its budget a worker begins no turn, and the human is told once a day', async () => {
  const bus = tempBus(['coder'])
  const over = (budgetUsd?: number) => overBudget({ name: 'coder', budgetUsd }, portsOf(bus))
  note(bus, 'coder', 0.99)
  expect([await over(), await over(1)]).toEqual([false, false])
  note(bus, 'coder', 0.01)
  expect([await over(1), await over(1), await over(2), await over()]).toEqual([
    ...[true, true],
    ...[false, false],
  ])
  const told = readUnread(bus, 'human').messages
  expect(told.map(({ subject }) => subject)).toEqual(['the budget of @coder is spent'])
  expect(told[0]?.body).toContain('I have spent $1.00 today, and my budget is $1.00 a day')
})

test('the costs of each worker and of each chain, the dearest first', () => {
  const bus = tempBus(['coder', 'planner'])
  note(bus, 'planner', 9, { ago: 3 * DAY_MS })
  note(bus, 'coder', 1, { chain: 'one' })
  note(bus, 'planner', 2, { chain: 'two' })
  note(bus, 'planner', 2, { chain: 'one' })
  const { workers, chains } = costsOf(bus.home, bus.clock.now() - DAY_MS)
  expect(workers).toEqual([
    { name: 'planner', answers: 2, input: 200, output: 20, usd: 4 },
    { name: 'coder', answers: 1, input: 100, output: 10, usd: 1 },
  ])
  expect(chains.map(({ name, usd }) => [name, usd])).toEqual([
    ['one', 3],
    ['two', 2],
  ])
})
