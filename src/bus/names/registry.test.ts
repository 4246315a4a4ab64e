import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isCoded } from '../../errors.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import {
  findSession,
  parseSessions,
  readSessions,
  type Sessions,
  updateSessions,
} from './registry.ts'

const BROKEN: [what: string, text: string][] = [
  ['empty', ''],
  ['torn', '{"backend": {"name": "back'],
  ['a list', '[]'],
  ['a word', 'null'],
  ['of a name that is none', '{"../x": {}}'],
  ['of a session that is no object', '{"backend": "here"}'],
  ['binary', '\0\u0001'],
]

describe('a registry that is broken', () => {
  test.each(BROKEN)('one that is %s is refused by whoever reads it', (_, text) => {
    const bus = tempBus()
    writeFileSync(bus.home.sessions, text)
    expect(parseSessions(text)).toBeUndefined()
    try {
      readSessions(bus.home)
      expect.unreachable()
    } catch (error) {
      if (!isCoded(error, 'REGISTRY_BROKEN')) throw error
      expect(error.hint).toContain('agent-chat doctor')
    }
    expect(readFileSync(bus.home.sessions, 'utf8')).toBe(text)
  })

  test.each(BROKEN)(
    'one that is %s is kept aside, to the byte, by whoever writes it',
    async (_, text) => {
      const aside: string[] = []
      const notice = (told: string) => aside.push(told.replace(/^.* is kept as /, ''))
      const bus = { ...tempBus(), notice }
      writeFileSync(bus.home.sessions, text)
      const joined = parseSessions('{"docs": {"cwd": "/"}}') ?? {}
      await updateSessions(bus, (sessions) => ({ ...sessions, ...joined }))
      expect(aside).toHaveLength(1)
      expect(readFileSync(aside[0] ?? '', 'utf8')).toBe(text)
      expect(readSessions(bus.home)).toEqual(joined)
      expect(eventsOf(bus.home, 'registry-set-aside')).toMatchObject([{ path: aside[0] }])
    },
  )
})

describe('the registry', () => {
  test('reads what older versions wrote, and keeps what later ones add', () => {
    const text =
      '{"backend": {"name": "backend", "pane": "%3", "joined_at": "2026-11-21T03:39:12Z", "colour": "red"}}'
    expect(parseSessions(text)).toMatchObject({
      backend: {
        name: 'backend',
        pane: '%3',
        tmux_socket: null,
        joined_at: '2026-11-21T03:39:12Z',
        agent: null,
        cwd: '',
        colour: 'red',
      },
    })
  })

  test('a process that no signal should ever reach is no agent', () => {
    for (const pid of [0, 1, -1, 1.5, '7', null]) {
      const text = JSON.stringify({ backend: { agent: { pid, started: 'x' } } })
      expect(parseSessions(text)?.backend?.agent).toBeNull()
    }
  })

  test('words of the language are no sessions', () => {
    const sessions: Sessions = {}
    for (const name of ['constructor', 'toString', 'hasOwnProperty'])
      expect(findSession(sessions, name)).toBeUndefined()
  })

  test('is empty where it is not there, and reading makes nothing', () => {
    const bus = tempBus()
    const home = { sessions: `${bus.home.root}/other.json` }
    expect(readSessions(home)).toEqual({})
    expect(filesIn(bus.home.root)).toEqual(['sessions.json'])
  })

  test('a change that gives nothing changes nothing', async () => {
    const bus = tempBus(['backend'])
    const before = readFileSync(bus.home.sessions, 'utf8')
    await updateSessions(bus, () => undefined)
    expect(readFileSync(bus.home.sessions, 'utf8')).toBe(before)
  })

  test('changes made at once are all made, one after the other', async () => {
    const bus = { ...tempBus(), notice: () => expect.unreachable() }
    const names = Array.from({ length: 20 }, (_, at) => `s${at}`)
    const add = (name: string) =>
      updateSessions(bus, async (sessions) => {
        await new Promise((resolve) => setImmediate(resolve))
        return { ...sessions, ...parseSessions(`{"${name}": {}}`) }
      })
    await Promise.all(names.map(add))
    expect(Object.keys(readSessions(bus.home)).sort()).toEqual(names.sort())
    expect(filesIn(bus.home.root).filter((file) => file.startsWith('sessions'))).toEqual([
      'sessions.json',
    ])
  })
})

test('what others have changed while a holder of the lock was stopped stays', async () => {
  const bus = tempBus(['backend'])
  const other = '{"backend": {"cwd": "/"}, "docs": {"cwd": "/"}}'
  const change = updateSessions(bus, (sessions) => {
    // As another process does that has taken the lock over.
    writeFileSync(bus.home.sessions, other)
    return { ...sessions }
  })
  await expect(change).rejects.toMatchObject({
    code: 'LOCKED',
    hint: 'try again: nothing was changed',
  })
  expect(readFileSync(bus.home.sessions, 'utf8')).toBe(other)
  expect(filesIn(bus.home.root).filter((file) => file.endsWith('.tmp'))).toEqual([])
})
