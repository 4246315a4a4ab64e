import { existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lastCalls, recordCall } from '../chat/mcpLog.ts'
import type { Ports } from '../chat/ports.ts'
import { CodedError } from '../errors.ts'
import { isoTime } from '../message/time.ts'
import { tempBus } from '../testing/home.ts'
import { leftOut } from '../testing/leftOut.ts'
import { type CallRequest, callTool } from './call.ts'
import { keyOf } from './once.ts'
import { type Answer, type Call, tool } from './tool.ts'

function world() {
  const bus = tempBus(['alice'])
  const env = { AGENT_CHAT_HOME: bus.home.root, AGENT_CHAT_NAME: 'alice' }
  const ports = { env, bus: () => bus } as unknown as Ports
  const request: CallRequest = {
    given: {},
    callId: undefined,
    signal: new AbortController().signal,
    progress: () => {},
    afterAnswer: () => {},
    confirm: () => undefined,
  }
  const call = (run: (input: object, call: Call) => Answer, more: Partial<CallRequest> = {}) =>
    callTool(
      tool({ name: 'send', description: '', fields: {}, gives: {}, run }),
      { ...request, ...more },
      ports,
    )
  return { bus, ports, call }
}

const LOCKED = new CodedError('LOCKED', 'another process reads it', { hint: 'try again' })

test('what is busy is tried once more after half a second, and then said so', async () => {
  const { call, ports } = world()
  for (const error of [
    LOCKED,
    Object.assign(new Error('EMFILE'), { code: 'EMFILE', path: '/x' }),
  ]) {
    let times = 0
    const began = performance.now()
    const answer = await call(() => {
      times += 1
      if (times === 1) throw error
      return { success: true }
    })
    expect([answer.success, times]).toEqual([true, 2])
    expect(performance.now() - began).toBeGreaterThan(450)
  }
  const answer = await call(() => {
    throw LOCKED
  })
  expect(answer).toEqual({
    success: false,
    code: 'LOCKED',
    error: 'Service temporarily unavailable: another process reads it',
    hint: 'try again',
  })
  expect(lastCalls({ count: 9 }, ports).map(({ result }) => result.success)).toEqual([
    true,
    true,
    false,
  ])
})

test('a call that threw has done nothing and may come again; one that answered is kept', async () => {
  const { call } = world()
  let times = 0
  const run = () => {
    times += 1
    if (times === 1) throw new CodedError('USAGE', 'no', { hint: '' })
    return { success: true, times }
  }
  const answers = []
  for (const _ of [1, 2, 3]) answers.push(await call(run, { callId: 'one' }))
  expect(answers.map(({ times }) => times)).toEqual([undefined, 2, 2])
  const both = await Promise.all([1, 2].map(() => call(run, { callId: 'two' })))
  expect(both.map(({ times }) => times)).toEqual([3, 3])
})

/** Only Linux has one. */
const FULL = '/dev/full'
const why = existsSync(FULL) ? undefined : `there is no ${FULL}`

test('a disk that is full: what was done is told of, and comes once', leftOut(why), async () => {
  const { bus, call } = world()
  const path = bus.home.mcpCall(isoTime(bus.clock.now()).slice(0, 10), keyOf('alice', 'send', 'x'))
  const run = (_: object, { earlier }: Call) => {
    // The answer has no room.
    symlinkSync(FULL, `${path}.${process.pid}.tmp`)
    return { success: true, again: earlier !== undefined }
  }
  const full = expect.stringMatching(/^the answer could not be kept: ENOSPC/)
  for (const again of [false, true])
    expect(await call(run, { callId: 'x' })).toMatchObject({
      success: true,
      again,
      notes: [full],
    })
  rmSync(bus.home.mcpLog)
  symlinkSync(FULL, bus.home.mcpLog)
  expect(await call(() => ({ success: true }))).toEqual({
    success: true,
    notes: [expect.stringMatching(/^the call could not be written down: ENOSPC/)],
  })
})

test('of a call with parameters beyond all measure, little is written down', async () => {
  const { call, ports } = world()
  const many = (depth: number): unknown =>
    depth === 0 ? 'y'.repeat(199) : Array.from({ length: 30 }, () => many(depth - 1))
  await call(() => ({ success: true }), { given: { to: 'bob', more: many(3) } })
  const [{ parameters } = {}] = lastCalls({ count: 1 }, ports)
  expect(parameters).toMatchObject({
    text: expect.stringMatching(/^\{"to":"bob"/),
    length: expect.any(Number),
  })
})

test('a log of calls that is full begins anew, and both are read', () => {
  const { bus, ports } = world()
  const record = (tool: string) =>
    recordCall(bus, {
      session: 'alice',
      conversation: null,
      tool,
      parameters: {},
      result: { success: true },
      latency_ms: 1,
    })
  record('one')
  writeFileSync(bus.home.mcpLog, `${' '.repeat(5 * 1024 * 1024)}\n`, { flag: 'a' })
  record('two')
  expect(statSync(bus.home.mcpLog).size).toBeLessThan(1000)
  expect(lastCalls({ count: 9 }, ports).map(({ tool }) => tool)).toEqual(['one', 'two'])
  expect(lastCalls({ count: 1 }, ports).map(({ tool }) => tool)).toEqual(['two'])
})
