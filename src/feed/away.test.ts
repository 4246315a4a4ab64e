import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, test } from 'vitest'
import { putMark } from '../bus/mail/marks.ts'
import { sendMessage } from '../bus/mail/send.ts'
import type { Message } from '../message/message.ts'
import { fixedClock } from '../testing/clock.ts'
import { tempBus } from '../testing/home.ts'
import { leftOut } from '../testing/leftOut.ts'
import { awayNow, noteAwaySeen, noteKey, noteTyped } from './away.ts'
import { awayText } from './awayText.ts'

const MINUTE = 60_000
const IS_ROOT = process.getuid?.() === 0

/** A home whose person pressed a key at 14:02. */
function world() {
  const clock = fixedClock('2026-11-27T14:02:00.000Z')
  const bus = tempBus(['backend', 'frontend', 'researcher'], clock)
  const later = (minutes: number) => clock.set(clock.now() + minutes * MINUTE)
  const send = (from: string, to: string, more: Partial<Message> = {}, answered?: Message) =>
    sendMessage(bus, { from, to, kind: 'note', body: 'x', ...more, inReplyTo: answered }).message
  const task = (to: string, state: string, from = 'human') => {
    const given = send(from, to, { kind: 'task' })
    later(1)
    const extra: Message['extra'] = state === 'done' ? {} : { task_state: state }
    if (state !== 'open')
      send(to, from, { kind: state === 'declined' ? 'reply' : 'result', extra }, given)
    return given
  }
  const shown = () => awayNow(bus)?.lines.map(awayText)
  noteKey(bus)
  return { bus, clock, later, send, task, shown }
}

test('what happened while you were away', () => {
  const { bus, later, send, task } = world()
  const [first, second] = [task('researcher', 'done'), task('backend', 'done')]
  const failed = task('researcher', 'failed')
  const declined = task('frontend', 'declined')
  task('frontend', 'open')
  const begun = send('backend', 'frontend')
  send('frontend', 'backend', {}, begun)
  send('backend', 'human')
  const held = send('backend', 'frontend', { chain: first.id })
  putMark(bus.home, 'frontend', held.id, {
    ring: 'held',
    why: '4 messages',
    chain: first.id,
    at: held.timestamp,
  })
  later(63)
  const away = awayNow(bus)
  expect(away).toEqual({
    from: '2026-11-27T14:02:00.000Z',
    to: '2026-11-27T15:10:00.000Z',
    lines: [
      { kind: 'done', count: 2, names: ['backend', 'researcher'], opens: [second.id, first.id] },
      { kind: 'failed', count: 1, names: ['researcher'], opens: [failed.id] },
      { kind: 'declined', count: 1, names: ['frontend'], opens: [declined.id] },
      { kind: 'pair', count: 3, names: ['backend', 'frontend'], opens: [held.id, begun.id] },
      { kind: 'held', count: 1, names: ['frontend'], opens: [first.id] },
    ],
  })
  expect(away?.lines.map(awayText)).toEqual([
    '2 tasks done by @backend, @researcher',
    '1 task failed by @researcher',
    '1 task declined by @frontend',
    '@backend ↔ @frontend 3 messages',
    '1 message held for @frontend',
  ])
})

test.each<[minutes: number, isShown: boolean]>([
  [9, false],
  [10, true],
  [600, true],
])('a block %d minutes after the last key: %s', (minutes, isShown) => {
  const { bus, later, send } = world()
  send('backend', 'frontend')
  later(minutes)
  expect(awayNow(bus) !== undefined).toBe(isShown)
})

test('it goes when it was seen, and not before', () => {
  const { bus, later, send, shown } = world()
  send('backend', 'frontend')
  later(30)
  noteKey(bus)
  const block = awayNow(bus)
  later(5)
  noteKey(bus)
  expect(awayNow(bus)).toEqual(block)
  noteAwaySeen(bus)
  expect(shown()).toBeUndefined()
  later(5)
  expect(shown()).toBeUndefined()
})

test('what was not seen goes on with the next time away', () => {
  const { bus, later, send, shown } = world()
  send('backend', 'frontend')
  later(30)
  noteKey(bus)
  later(1)
  send('researcher', 'frontend')
  later(8)
  expect(shown()).toEqual(['@backend ↔ @frontend 1 message'])
  later(1)
  expect(shown()).toHaveLength(2)
})

test('nothing happened: no block, and the time away is forgotten', () => {
  const { bus, later, send, shown } = world()
  later(30)
  expect(shown()).toBeUndefined()
  noteKey(bus)
  send('backend', 'frontend')
  expect(shown()).toBeUndefined()
  later(10)
  expect(awayNow(bus)?.from).toBe('2026-11-27T14:32:00.000Z')
})

test('a state of a task is none of the messages of a pair', () => {
  const { later, send, task, shown } = world()
  const given = task('researcher', 'open', 'backend')
  send('researcher', 'backend', { extra: { progress: 'working' } }, given)
  later(20)
  expect(shown()).toEqual(['@backend ↔ @researcher 1 message'])
})

test('a key is written once a minute at the most', () => {
  const { bus, clock } = world()
  const written = () => readFileSync(bus.home.presence, 'utf8')
  const before = written()
  clock.set(clock.now() + MINUTE - 1)
  noteKey(bus)
  expect(written()).toBe(before)
  clock.set(clock.now() + 1)
  noteKey(bus)
  expect(written()).not.toBe(before)
  // A clock that was set back.
  clock.set(clock.now() - 60 * MINUTE)
  noteKey(bus)
  expect(JSON.parse(written()).pressed).toBe(new Date(clock.now()).toISOString())
  expect(statSync(bus.home.presence).mode & 0o777).toBe(0o600)
})

test.each<
  [who: string, ports: { typed?: 'terminal'; env: NodeJS.ProcessEnv; is: boolean }, noted: boolean]
>([
  ['the person', { typed: 'terminal', env: {}, is: true }, true],
  ['a script', { env: {}, is: false }, false],
])('what %s typed is a key: %j, %s', async (_, { is, ...ports }, noted) => {
  const { bus, clock, later } = world()
  later(5)
  await noteTyped({ ...ports, bus: () => bus, isTerminal: async () => is })
  const { pressed } = JSON.parse(readFileSync(bus.home.presence, 'utf8'))
  expect(Date.parse(pressed) === clock.now()).toBe(noted)
})

test('within one minute the block that a surface has is given again', () => {
  const { bus, later, send } = world()
  send('backend', 'frontend')
  later(30)
  const block = awayNow(bus)
  send('frontend', 'backend')
  expect(awayNow(bus, bus.clock.now() + 1000, block)).toBe(block)
  expect(awayNow(bus, bus.clock.now() + MINUTE, block)?.lines[0]?.count).toBe(2)
})

describe('the file', () => {
  test.each([
    ['no JSON', '{"pressed":"2026-'],
    ['no object', '7'],
    ['no time', '{"pressed":"yesterday","unseen":{"from":1,"to":2}}'],
    ['nothing', ''],
  ])('that holds %s is as if there were none', (_, text) => {
    const { bus, later, send, shown } = world()
    writeFileSync(bus.home.presence, text)
    send('backend', 'frontend')
    later(30)
    expect(shown()).toBeUndefined()
    noteKey(bus)
    send('backend', 'frontend')
    later(10)
    expect(awayNow(bus)?.from).toBe('2026-11-27T14:32:00.000Z')
  })

  test('with a broken block has the key alone', () => {
    const { bus, later, shown } = world()
    const pressed = '2026-11-27T14:02:00.000Z'
    const unseen = { from: '2026-11-27T14:00:00.000Z', to: 'x' }
    writeFileSync(bus.home.presence, JSON.stringify({ pressed, unseen }))
    later(5)
    expect(shown()).toBeUndefined()
  })

  test.each<[what: string, put: (path: string) => void]>([
    ['a directory', (path) => mkdirSync(path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
  ])('that is %s fails nobody', (_, put) => {
    const { bus, later } = world()
    const path = `${bus.home.states}/@other.json`
    put(path)
    Object.defineProperty(bus.home, 'presence', { value: path })
    later(30)
    noteKey(bus)
    noteAwaySeen(bus)
    expect(awayNow(bus)).toBeUndefined()
  })

  test('of a home that was removed is not made', () => {
    const { bus } = world()
    const gone = tempBus([])
    Object.defineProperty(gone.home, 'presence', { value: `${bus.home.root}/gone/@you.json` })
    noteKey(gone)
    noteAwaySeen(gone)
    expect(existsSync(`${bus.home.root}/gone`)).toBe(false)
  })

  test(
    'of a home that cannot be written: the block stays',
    leftOut(IS_ROOT && 'root may write everywhere'),
    () => {
      const { bus, later, send, shown } = world()
      send('backend', 'frontend')
      later(30)
      chmodSync(bus.home.states, 0o500)
      noteKey(bus)
      noteAwaySeen(bus)
      const left = shown()
      chmodSync(bus.home.states, 0o700)
      expect(left).toEqual(['@backend ↔ @frontend 1 message'])
    },
  )
})
