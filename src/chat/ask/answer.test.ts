import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { noteReads } from '../../session/reads.ts'
import { ringableIds } from '../../session/rings.ts'
import { noteEvent } from '../../session/stateFile.ts'
import { agentsOn, startAgent, type TestAgent } from '../../testing/agent.ts'
import { startAsk } from '../../testing/asks.ts'
import { outcome, startCli } from '../../testing/cli.ts'
import { filesIn, tempBus } from '../../testing/home.ts'
import { allHeld, release } from '../../trust/sendGate/held.ts'
import { waitForAnswer } from './answer.ts'

/** Two sessions with hooks: `backend` asks, `frontend` is asked. */
async function pair() {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const [backend, frontend] = agents as [TestAgent, TestAgent]
  return {
    bus,
    backend,
    frontend,
    ask: (...args: string[]) => startAsk(bus, 'backend', ['@frontend', ...args]),
  }
}

/** What wakes an agent when the bell of its session is rung; empty where nothing is to be said. */
async function ringOf(bus: Bus, agent: TestAgent): Promise<string> {
  const { stderr } = await agent.hook('bell', {
    file_path: bus.home.ring(agent.name),
    event: 'change',
  })
  return stderr
}

/** Whether a doorbell of this session has been given anything to hear. */
const wasRung = (bus: Bus, name: string) => existsSync(bus.home.ring(name))

const FRONTEND_WRITES = 'New message from @frontend. Check inbox.\n'

describe('what nobody waits for any more arrives as a message', () => {
  test('an answer after the time was up', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, ended } = await ask('why?', '--timeout', '0.2')
    expect((await ended).code).toBe(5)
    expect(await ringOf(bus, backend)).toBe('')
    await frontend.chat('reply', id, 'late')
    expect(await ringOf(bus, backend)).toBe(FRONTEND_WRITES)
    expect((await backend.chat('inbox')).stdout).toContain('\nlate\n')
  })

  test('an answer after Ctrl-C, until the ask is resumed', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, child, ended } = await ask('why?')
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    await frontend.chat('reply', id, 'late')
    expect(ringableIds(bus, 'backend')).toHaveLength(1)
    expect(await backend.chat('ask', '--resume', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\nlate\n'),
    })
    expect(await ringOf(bus, backend)).toBe('')
  })

  test('the second of two answers', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, ended } = await ask('why?')
    await frontend.chat('reply', id, 'one')
    expect((await ended).stdout).toContain('\none\n')
    await frontend.chat('reply', id, 'two')
    expect(await ringOf(bus, backend)).toBe(FRONTEND_WRITES)
    expect((await backend.chat('inbox')).stdout).toMatch(/^1 unread message [\s\S]*\ntwo\n/)
  })

  test('the second of two answers that both came before the first was seen', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, child, ended } = await ask('why?')
    child.kill('SIGSTOP')
    for (const body of ['one', 'two']) await frontend.chat('reply', id, body)
    expect(ringableIds(bus, 'backend')).toEqual([])
    expect(wasRung(bus, 'backend')).toBe(false)
    child.kill('SIGCONT')
    const { stdout } = await ended
    expect(stdout).toContain('\none\n')
    expect(stdout).not.toContain('\ntwo\n')
    expect(wasRung(bus, 'backend')).toBe(true)
    expect(await ringOf(bus, backend)).toBe(FRONTEND_WRITES)
    expect(filesIn(bus.home.inbox('backend'))).toHaveLength(1)
  })

  test('an answer that could not be printed', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, child, ended } = await ask('why?')
    child.stdout?.destroy()
    await frontend.chat('reply', id, 'to nobody')
    expect((await ended).code).toBe(1)
    expect(wasRung(bus, 'backend')).toBe(true)
    expect(await ringOf(bus, backend)).toBe(FRONTEND_WRITES)
    expect((await backend.chat('inbox')).stdout).toContain('\nto nobody\n')
  })

  test('a note that answers nothing does not end the ask', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, ended } = await ask('why?')
    await frontend.chat('send', '@backend', 'I am on it', '--kind', 'note')
    expect(await ringOf(bus, backend)).toBe(FRONTEND_WRITES)
    await frontend.chat('reply', id, 'because')
    expect((await ended).stdout).toContain('\nbecause\n')
  })
})

describe('an ask that is killed', () => {
  test('leaves nothing locked, and is resumed', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, child, ended } = await ask('why?')
    child.kill('SIGKILL')
    await ended
    expect(filesIn(bus.home.asks)).toHaveLength(1)
    // It waits no more, so what would have been a circle is none.
    expect(await frontend.chat('ask', '@backend', 'and you?', '--timeout', '0.01')).toMatchObject({
      code: 5,
    })
    expect(filesIn(bus.home.asks)).toEqual([])
    expect(await ringOf(bus, backend)).toBe(FRONTEND_WRITES)
    const resumed = await startAsk(bus, 'backend', ['--resume', id])
    await frontend.chat('reply', id, 'because')
    expect(await resumed.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\nbecause\n'),
    })
    expect(await ringOf(bus, backend)).toBe('')
  })

  test('just after its answer came rings with the next bell', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, child, ended } = await ask('why?')
    child.kill('SIGSTOP')
    await frontend.chat('reply', id, 'because')
    child.kill('SIGKILL')
    await ended
    expect(await ringOf(bus, backend)).toBe(FRONTEND_WRITES)
    expect(await backend.chat('ask', '--resume', id)).toMatchObject({ code: 0 })
  })

  test('before its question was sent has asked nothing, and keeps nobody from asking', async () => {
    const { bus, frontend } = await pair()
    const env = { AGENT_CHAT_NAME: 'backend', AGENT_CHAT_FAULT: 'send:written' }
    const child = startCli(['ask', '@frontend', 'why?'], { home: bus.home.root, env })
    expect(await outcome(child)).toMatchObject({ signal: 'SIGKILL' })
    expect(filesIn(bus.home.inbox('frontend'))).toEqual([])
    expect(await frontend.chat('ask', '@backend', 'and you?', '--timeout', '0.01')).toMatchObject({
      code: 5,
    })
  })
})

test('an answer that comes in the middle of a look is told as nothing else', async () => {
  const bus = tempBus(['backend', 'frontend'])
  const { ref } = startAgent(bus)
  const at = '2026-11-21T03:39:12.000Z'
  noteEvent(bus, 'frontend', { kind: 'prompted', at, session_id: null, agent: ref })
  const ask = { from: 'backend', to: 'frontend', kind: 'question', body: 'why?' }
  const { message: question } = sendMessage(bus, ask)
  const [from, to] = ['frontend', 'backend']
  let sent = 0
  // The look at the other side asks whether its agent is alive.
  const isAlive = (one: Parameters<typeof bus.processes.isAlive>[0]) => {
    sent += 1
    if (sent === 1)
      sendMessage(bus, { from, to, kind: 'reply', body: 'because', inReplyTo: question })
    return bus.processes.isAlive(one)
  }
  const wrote: unknown[] = []
  const end = await waitForAnswer(
    { ...bus, processes: { ...bus.processes, isAlive } },
    {
      ...{ question, timeoutMs: 60_000, patient: true, onStop: () => {} },
      onLook: (look) => wrote.push(look.wrote),
    },
  )
  expect(end).toMatchObject({ outcome: 'answered', answer: { body: 'because' } })
  expect(sent).toBeGreaterThan(0)
  expect(wrote.filter(Boolean)).toEqual([])
})

describe('what ends a wait is seen by file events, without any timer', () => {
  /** `backend` waits for the answer of `frontend`, in a process whose timers stand still. */
  function wait() {
    const bus = tempBus(['backend', 'frontend'])
    const { ref } = startAgent(bus)
    const tell = (kind: 'prompted' | 'stopped', at: string) =>
      void noteEvent(bus, 'frontend', { kind, at, session_id: null, agent: ref })
    tell('prompted', '2026-11-21T03:39:12.000Z')
    const { message: question } = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'question',
      body: 'why?',
    })
    noteReads(bus, 'frontend', [{ message: question, approved: false }])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const request = {
      question,
      timeoutMs: 60_000,
      patient: false,
      onLook: () => {},
      onStop: () => {},
    }
    return { bus, question, tell, ended: waitForAnswer(bus, request) }
  }

  test('an answer', async () => {
    const { bus, question, ended } = wait()
    sendMessage(bus, {
      from: 'frontend',
      to: 'backend',
      kind: 'reply',
      body: 'because',
      inReplyTo: question,
    })
    expect(await ended).toMatchObject({ outcome: 'answered', answer: { body: 'because' } })
  })

  test('an answer that was held back and is let go', async () => {
    const { bus, question, ended } = wait()
    const silent = { ring: 'held' as const, why: '4 messages on this chain' }
    const draft = {
      from: 'frontend',
      to: 'backend',
      kind: 'reply',
      body: 'because',
      inReplyTo: question,
      silent,
    }
    sendMessage(bus, draft)
    release(bus, allHeld(bus))
    expect(await ended).toMatchObject({ outcome: 'answered', answer: { body: 'because' } })
  })

  test('the end of the turn', async () => {
    const { tell, ended } = wait()
    tell('stopped', '2099-11-21T03:39:12.000Z')
    expect(await ended).toMatchObject({ outcome: 'idle' })
  })

  test('the other side’s leaving', async () => {
    const { bus, ended } = wait()
    writeFileSync(`${bus.home.root}/new`, '{}')
    renameSync(`${bus.home.root}/new`, bus.home.sessions)
    expect(await ended).toMatchObject({ outcome: 'gone' })
  })
})

test('the answer that is there is printed by two who wait for it, and read once', async () => {
  const { bus, frontend, ask } = await pair()
  const first = await ask('why?')
  const second = await startAsk(bus, 'backend', ['--resume', first.id])
  await frontend.chat('reply', first.id, 'because')
  for (const { ended } of [first, second]) expect((await ended).stdout).toContain('\nbecause\n')
  expect(filesIn(bus.home.readDirectory('backend'))).toHaveLength(1)
  expect(filesIn(bus.home.asks)).toEqual([])
})
