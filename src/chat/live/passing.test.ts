import { expect, test } from 'vitest'
import type { HistoryEvent } from '../../bus/history.ts'
import type { NoticeEntry } from './entry.ts'
import { entryOfEvent } from './fromEvent.ts'
import { folded } from './passing.ts'

const event = (event: string, more: Record<string, unknown> = {}): HistoryEvent => ({
  ...{ at: '2026-11-27T14:02:00.000Z', event, name: 'backend' },
  ...more,
})
const joined = event('joined')
const left = event('left')
const stopped = event('ended', { code: 143, signal: null, stopped: true })
const ended = event('ended', { code: 0, signal: null })
const broke = event('ended', { code: 1, signal: null })
const other = event('joined', { name: 'frontend' })
const cycle = [stopped, left, joined]

test.each<[what: string, events: HistoryEvent[], rows: string[]]>([
  ['one who comes', [joined], ['@backend is here']],
  ['one who goes', [joined, left], ['@backend has left']],
  ['one that you stopped', [joined, stopped, left], ['@backend was stopped by you']],
  ['one that ended', [joined, ended, left], ['the agent of @backend has ended (exit code 0)']],
  ['a restart', [joined, ...cycle], ['@backend restarted']],
  ['three restarts', [joined, ...cycle, ...cycle, ...cycle], ['@backend restarted ×3']],
  [
    'a stop behind restarts',
    [joined, ...cycle, ...cycle, stopped, left],
    ['@backend was stopped by you'],
  ],
  ['restarts after a stop', [...cycle, ...cycle], ['@backend restarted ×2']],
  ['two sessions', [joined, other], ['@backend is here', '@frontend is here']],
  [
    'an end that nobody asked for',
    [joined, broke, left, joined],
    ['@backend is here', 'the agent of @backend has ended (exit code 1)', '@backend restarted'],
  ],
  ['two that join again', [joined, joined], ['@backend is here']],
])('%s', (_, events, rows) => {
  const all: NoticeEntry[] = []
  for (const one of events) {
    const entry = entryOfEvent(one) as NoticeEntry
    const one_ = folded(all.at(-1), entry)
    if (one_) all[all.length - 1] = one_
    else all.push(entry)
  }
  expect(all.map(({ text }) => text)).toEqual(rows)
})

test.each<[event: HistoryEvent, passing: NoticeEntry['passing']]>([
  [joined, 'came'],
  [left, 'went'],
  [stopped, 'went'],
  [ended, 'went'],
  [broke, undefined],
  [event('ended', { code: null, signal: 'SIGKILL' }), undefined],
  [event('ended', { code: 143, signal: null }), undefined],
  [event('refused', { rule: 'work gate' }), undefined],
  [event('renamed', { from: 'a', to: 'b' }), undefined],
])('%j is one that only passes: %s', (one, passing) => {
  expect((entryOfEvent(one) as NoticeEntry).passing).toBe(passing)
})
