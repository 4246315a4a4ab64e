import { describe, expect, test } from 'vitest'
import {
  decideRing,
  MAX_FAILED_TRIES,
  NATIVE_GRACE_MS,
  type RingDecision,
  type RingQuestion,
  retryDelay,
} from './policy.ts'

const NOW = Date.parse('2026-11-21T03:39:12.123Z')
const seen = (...ago: number[]) => ago.map((ms, at) => ({ id: `m${at}`, seen: NOW - ms }))
const ask = (question: Partial<RingQuestion>): RingDecision =>
  decideRing({
    unrung: seen(0),
    now: NOW,
    paused: false,
    activity: 'idle',
    idleSince: undefined,
    native: false,
    starting: false,
    failedTries: 0,
    ...question,
  })
const wait = (why: string): RingDecision => ({ kind: 'wait', why })

const ROWS: [what: string, question: Partial<RingQuestion>, decision: RingDecision][] = [
  ['nothing to ring for', { unrung: [] }, { kind: 'rest' }],
  [
    'nothing to ring for, whatever else',
    { unrung: [], paused: true, activity: 'busy', failedTries: 9 },
    { kind: 'rest' },
  ],
  ['an idle agent', {}, { kind: 'ring' }],
  ['an agent without hooks', { activity: 'unknown' }, { kind: 'ring' }],
  ['an agent at work', { activity: 'busy' }, wait('the agent is busy')],
  [
    'an agent that is starting',
    { activity: 'unknown', starting: true },
    wait('the agent is starting'),
  ],
  ['an open dialog', { activity: 'asking' }, wait('a dialog is open')],
  ['an agent that has ended', { activity: 'gone' }, wait('the agent has ended')],
  ['all doorbells paused', { paused: true }, wait('all doorbells are paused')],
  [
    'a pause stands above the native bell',
    { paused: true, native: true },
    wait('all doorbells are paused'),
  ],
  ['lines that were swallowed, but few', { failedTries: MAX_FAILED_TRIES - 1 }, { kind: 'ring' }],
  [
    'lines that were swallowed',
    { failedTries: MAX_FAILED_TRIES },
    { kind: 'ring', unheard: 'typed 3 times without being heard' },
  ],
  ['a native bell, at first', { native: true }, { kind: 'leave', until: NOW + NATIVE_GRACE_MS }],
  [
    'a native bell, whatever the agent does',
    { native: true, activity: 'busy' },
    { kind: 'leave', until: NOW + NATIVE_GRACE_MS },
  ],
  [
    'a native bell that has 1 ms left',
    { native: true, unrung: seen(NATIVE_GRACE_MS - 1) },
    { kind: 'leave', until: NOW + 1 },
  ],
  [
    'a native bell that did not ring',
    { native: true, unrung: seen(NATIVE_GRACE_MS) },
    { kind: 'ring' },
  ],
  [
    'the oldest message counts',
    { native: true, unrung: seen(0, NATIVE_GRACE_MS, 10) },
    { kind: 'ring' },
  ],
  [
    'a native bell at the end of the turn in which the message came',
    { native: true, unrung: seen(9999), idleSince: NOW },
    { kind: 'leave', until: NOW + NATIVE_GRACE_MS },
  ],
  [
    'a native bell that did not ring at the end of the turn',
    { native: true, unrung: seen(9999), idleSince: NOW - NATIVE_GRACE_MS },
    { kind: 'ring' },
  ],
  [
    'a native bell, a message long after the turn',
    { native: true, unrung: seen(1000), idleSince: NOW - 60_000 },
    { kind: 'leave', until: NOW + NATIVE_GRACE_MS - 1000 },
  ],
  ['no native bell, a turn that has just ended', { idleSince: NOW }, { kind: 'ring' }],
  [
    'a native bell that did not ring, a busy agent',
    { native: true, unrung: seen(9999), activity: 'busy' },
    wait('the agent is busy'),
  ],
]

describe('whether to type a ring', () => {
  test.each(ROWS)('%s', (_, question, decision) => {
    expect(ask(question)).toEqual(decision)
  })
})

test('a ring that has to wait is tried again soon at first, and never more than 2 s later', () => {
  expect([0, 59_999, 60_000, Number.MAX_SAFE_INTEGER].map(retryDelay)).toEqual([
    250, 250, 2000, 2000,
  ])
})
