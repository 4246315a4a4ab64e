import { writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { isoTime } from '../../message/time.ts'
import type { WorkerState } from '../../session/workerState.ts'
import { makeDirectory } from '../../system/files.ts'
import { register, tempBus } from '../../testing/home.ts'
import type { Ports } from '../ports.ts'
import { waitForAnswer } from './answer.ts'
import { type AskPorts, ask } from './ask.ts'
import { endError } from './askEnd.ts'

/** A worker `helper`, as its state file tells; its process is this one, or one that is gone. */
function stateOf(bus: Bus, change: Partial<WorkerState>, runs = true): void {
  const { home, clock, processes } = bus
  const now = isoTime(clock.now())
  makeDirectory(home.workers)
  const state: WorkerState = {
    ...{ name: 'helper', activity: 'idle', since: now, started: now, beat: now, requests: 0 },
    process: runs ? processes.self() : { pid: 999_999_999, started: '1' },
    definition: { path: '', hash: '' },
    restarts: [],
    ...change,
  }
  writeFileSync(home.worker('helper'), JSON.stringify(state))
}

function world() {
  const bus = tempBus(['backend'])
  register(bus.home, 'backend')
  const notices: string[] = []
  const env = { AGENT_CHAT_HOME: bus.home.root, AGENT_CHAT_NAME: 'backend' }
  const ports = {
    ...{ env, bus: () => bus, notice: (text: string) => notices.push(text), onStop: () => {} },
    isTerminal: async () => false,
  } as unknown as AskPorts & Ports
  const posed = (timeoutMs: number) =>
    ask(
      { recipient: '@helper' },
      async () => ({ body: 'why?', extra: {} }),
      { timeoutMs, patient: true, onLook: () => {}, show: () => {} },
      ports,
    )
  return { bus, notices, posed }
}

const LONG_AGO = '2026-11-21T03:39:12.123Z'
const OUT: [string, Partial<WorkerState>, boolean, RegExp][] = [
  [
    'over its budget',
    { activity: 'idle', reason: 'its budget for today is spent' },
    true,
    /^the worker @helper cannot answer: its budget for today is spent; nothing was asked$/,
  ],
  [
    'refused',
    { activity: 'failed', reason: '@helper cannot go on: Not logged in · Please run /login' },
    false,
    /cannot answer: @helper cannot go on: Not logged in · Please run \/login; nothing/,
  ],
  ['stuck', { activity: 'busy', beat: LONG_AGO }, true, /no sign of life for \d+ s, and no super/],
  [
    'stopped',
    { activity: 'stopped' },
    false,
    /^the worker @helper does not run; nothing was asked/,
  ],
]

describe('a worker that cannot answer ends an ask at once', () => {
  test.each(OUT)('%s: before it', async (_, state, runs, says) => {
    const { bus, notices, posed } = world()
    stateOf(bus, state, runs)
    await expect(posed(60_000)).rejects.toMatchObject({
      code: 'SESSION_GONE',
      message: expect.stringMatching(says),
    })
    // It does not say as well that an inbox keeps what was not asked.
    expect(notices).toEqual([])
  })

  test.each(OUT)('%s: while it is waited for', async (_, state, runs) => {
    const { bus } = world()
    register(bus.home, 'backend')
    stateOf(bus, {})
    const draft = { from: 'backend', to: 'helper', kind: 'question', body: 'why?' }
    const { message: question } = sendMessage(bus, draft)
    stateOf(bus, state, runs)
    const request = { question, timeoutMs: 60_000, patient: true }
    const end = await waitForAnswer(bus, { ...request, onLook: () => {}, onStop: () => {} })
    if (end.outcome === 'answered') throw new Error('answered')
    expect(end.outcome).toBe('gone')
    expect(endError(question, end, 60)).toMatchObject({
      code: 'SESSION_GONE',
      message: expect.stringContaining(state.reason ?? (runs ? 'no sign of life' : '@helper')),
    })
  })
})

test.each([
  ['a worker', { worker: true }, 'timed out'],
  ['a session of the user', {}, 'gone'],
])(
  'the process before, registered as %s, is gone, and the next fell before it registered',
  async (_, kind, outcome) => {
    const { bus } = world()
    stateOf(bus, { activity: 'starting', process: { pid: 999_999_998, started: '2' } }, false)
    const helper = { name: 'helper', pane: null, joined_at: LONG_AGO, ...kind }
    const sessions = { helper: { ...helper, agent: { pid: 999_999_999, started: '1' } } }
    writeFileSync(bus.home.sessions, JSON.stringify(sessions))
    const draft = { from: 'backend', to: 'helper', kind: 'question', body: 'why?' }
    const { message: question } = sendMessage(bus, draft)
    const request = { question, timeoutMs: 1, patient: true, onLook: () => {}, onStop: () => {} }
    expect(await waitForAnswer(bus, request)).toMatchObject({ outcome })
  },
)

test('without a time of its own, an ask waits as long as the worker is at work on it', async () => {
  const { bus } = world()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'hrtime', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const draft = { from: 'backend', to: 'helper', kind: 'question', body: 'why?' }
  const now = { ...bus, clock: { ...bus.clock, now: () => Date.now() } }
  stateOf(now, {})
  const here = { pane: null, joined_at: LONG_AGO, agent: bus.processes.self() }
  const sessions = { backend: { name: 'backend', ...here }, helper: { name: 'helper', ...here } }
  writeFileSync(bus.home.sessions, JSON.stringify(sessions))
  const { message: question } = sendMessage(now, draft)
  const wait = (untilWorked: boolean) => {
    const ended: string[] = []
    const request = { question, timeoutMs: 300_000, patient: true, untilWorked }
    void waitForAnswer(now, { ...request, onLook: () => {}, onStop: () => {} }).then((end) =>
      ended.push(end.outcome),
    )
    return ended
  }
  const [patient, timed] = [wait(true), wait(false)]
  for (let minute = 0; minute < 10; minute += 1) {
    stateOf(now, { activity: 'busy', message: question.id })
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect([patient, timed]).toEqual([[], ['timed out']])
  // It has begun something else: from its last sign of life on, the time counts.
  for (let minute = 0; minute < 4; minute += 1) {
    stateOf(now, { activity: 'busy', message: 'another' })
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect(patient).toEqual([])
  stateOf(now, { activity: 'busy', message: 'another' })
  await vi.advanceTimersByTimeAsync(70_000)
  expect(patient).toEqual(['timed out'])
})
