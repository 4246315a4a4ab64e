import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { nameSince } from '../bus/names/names.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { renameSession } from '../bus/names/rename.ts'
import { isoTime } from '../message/time.ts'
import { ringMark } from '../session/rings.ts'
import { readRings } from '../session/ringsFile.ts'
import { noteEvent } from '../session/stateFile.ts'
import { readWaiting } from '../session/waiting.ts'
import { runCli } from '../testing/cli.ts'
import { eventsOf, filesIn, tempBus } from '../testing/home.ts'
import { createRinger, type RingResult } from './ringer.ts'

const silent = { log: () => {} }

test('a rename that was killed before anything was moved: what is pending rings under the old name', async () => {
  const bus = tempBus(['backend', 'frontend'])
  const { message } = sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'note',
    body: 'ready',
  })
  const session = findSession(readSessions(bus.home), 'frontend')
  if (!session) throw new Error('no session')
  const nameNow = nameSince(bus, 'frontend')
  const env = { AGENT_CHAT_FAULT: 'rename:recorded' }
  expect((await runCli(['rename', 'frontend', 'site'], { home: bus.home.root, env })).signal).toBe(
    'SIGKILL',
  )
  const rung: string[][] = []
  const ring = async (_: unknown, claim: () => string[]): Promise<RingResult> => {
    rung.push(claim())
    return { kind: 'rung' }
  }
  await createRinger(
    { session, nameNow, doorbell: { name: 'tmux', ring }, leaveToNative: false },
    { bus, ...silent },
  ).look()
  expect(rung).toEqual([[message.id]])
})

test.each<[RingResult['kind'], RingResult, object]>([
  ['rung', { kind: 'rung' }, { by: 'tmux' }],
  ['wait', { kind: 'wait', why: 'the agent is busy', typed: false }, {}],
])(
  'a session that is renamed in the middle of a ring (%s): its marks go along',
  async (kind, result, mark) => {
    const bus = tempBus(['backend', 'frontend'])
    const { message } = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'note',
      body: 'ready',
    })
    const session = findSession(readSessions(bus.home), 'frontend')
    if (!session) throw new Error('no session')
    const ring = async (_: unknown, claim: () => string[]) => {
      expect(claim()).toEqual([message.id])
      await renameSession(bus, 'frontend', 'site')
      return result
    }
    const nameNow = nameSince(bus, 'frontend')
    const ringer = createRinger(
      { session, nameNow, doorbell: { name: 'tmux', ring }, leaveToNative: false },
      { bus, ...silent },
    )
    await ringer.look()
    const rung = kind === 'rung'
    expect(readRings(bus.home, 'site').groups.map(({ ids }) => ids)).toEqual(
      rung ? [message.id] : [],
    )
    const now = ringMark(bus.home, 'site', message.id)
    expect(now?.ringing).toBeUndefined()
    expect(now ?? {}).toMatchObject(mark)
    expect(eventsOf(bus.home, 'rung').map(({ to, ids }) => [to, ids])).toEqual(
      rung ? [['site', [message.id]]] : [],
    )
    expect(filesIn(bus.home.states).filter((file) => file.startsWith('frontend.rings'))).toEqual([])
  },
)

test('an agent that has just been started is typed to when its first hook has told of it', async () => {
  const bus = tempBus(['backend', 'frontend'])
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'ready' })
  const known = findSession(readSessions(bus.home), 'frontend')
  const session = {
    ...known,
    name: 'frontend',
    native: true,
    doorbell: 'tmux',
    joined_at: isoTime(bus.clock.now()),
  }
  writeFileSync(bus.home.sessions, JSON.stringify({ frontend: session }))
  const registered = findSession(readSessions(bus.home), 'frontend')
  if (!registered) throw new Error('no session')
  let rings = 0
  const ring = async (_: unknown, claim: () => string[]): Promise<RingResult> => {
    rings += claim().length
    return { kind: 'rung' }
  }
  const ringer = createRinger(
    {
      session: registered,
      nameNow: () => 'frontend',
      doorbell: { name: 'tmux', ring },
      leaveToNative: false,
    },
    { bus, ...silent },
  )
  await ringer.look()
  expect({ rings, why: readWaiting(bus.home, 'frontend')?.why }).toEqual({
    rings: 0,
    why: 'the agent is starting',
  })
  noteEvent(bus, 'frontend', {
    kind: 'started',
    at: isoTime(bus.clock.now()),
    session_id: 'one',
    agent: bus.processes.self(),
  })
  await ringer.look()
  expect({ rings, waiting: readWaiting(bus.home, 'frontend') }).toEqual({
    rings: 1,
    waiting: undefined,
  })
})
