import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { escalationId } from '../../bus/index/escalations.ts'
import { markRead, messageAt, readUnread } from '../../bus/mail/inbox.ts'
import { putMark } from '../../bus/mail/marks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { reply } from '../../chat/reply.ts'
import { send } from '../../chat/send.ts'
import { needsNow } from '../../feed/needs.ts'
import { questionsNow } from '../../feed/questions.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { UNPROVEN } from '../../message/proven.ts'
import { noteWord } from '../../session/words.ts'
import { systemTmux } from '../../system/tmux.ts'
import { runCli } from '../../testing/cli.ts'
import { filesIn, tempBus } from '../../testing/home.ts'
import { runAsHuman } from '../../testing/human.ts'
import { askHuman } from '../../worker/permission/ask.ts'
import { release } from '../sendGate/held.ts'

const CALL = { tool: 'Bash', input: { command: 'touch a' }, reason: 'agent-chat: closed' }
const ASK = { AGENT_CHAT_HUMAN: 'ask' }

const portsOn = (bus: Bus, env: Record<string, string> = {}) => ({
  env: { AGENT_CHAT_NOTIFY: 'off', ...env },
  cwd: '/',
  bus: () => bus,
  notice: () => {},
  tmux: systemTmux(() => ''),
  self: { node: process.execPath, script: '/none', root: '/' },
  isTerminal: async () => false,
  onStop: () => {},
})

/** A worker that asks about a call; `env`: what the worker was started with. */
function scene(env: Record<string, string> = {}) {
  const bus = tempBus(['coder', 'alice'])
  const about = sendMessage(bus, { from: 'alice', to: 'coder', kind: 'task', body: 'do it' })
  const ask = (own = env) =>
    askHuman(
      {
        ...{ name: 'coder', call: CALL, message: about.message, cwd: '/', limitMs: 1 },
        ...{ onWait: () => {}, signal: new AbortController().signal },
      },
      portsOn(bus, own),
    )
  const decision = (): Message => {
    const id = escalationId(bus.home, 1) ?? ''
    return messageAt(bus.home.message(id), id, bus.home) as Message
  }
  /** An answer in the human's name, as any program can write one. */
  const answered = (fields: Partial<Parameters<typeof sendMessage>[1]> = {}) =>
    sendMessage(bus, {
      ...{ from: HUMAN, to: 'coder', kind: 'reply', body: '1. Yes', extra: { choice: '1' } },
      ...{ inReplyTo: decision(), ...fields },
    }).message
  return { bus, ask, decision, answered }
}

/** On which surfaces the decision is open: the console, the web console and the feed. */
const surfaces = (bus: Bus) => ({
  console: questionsNow(bus).map(({ question }) => question.number),
  needs: needsNow(bus, []).flatMap((need) => ('number' in need ? [need.number] : [])),
})
const OPEN = { console: [1], needs: [1] }
const SHUT = { console: [], needs: [] }

/** What the commands say: the overview, `status` and `who`. */
async function commands({ home }: Bus) {
  const json = async (...args: string[]) =>
    JSON.parse((await runCli([...args, '--json'], { home: home.root })).stdout)
  const overview = await json()
  const [human] = (await json('status', HUMAN)).sessions
  return {
    questions: overview.questions,
    needs: overview.needs_you.map(({ reason }: { reason: string }) => reason),
    status: human.questions.length,
  }
}
const SAID_OPEN = { questions: 1, needs: ['approval'], status: 1 }

describe('under AGENT_CHAT_HUMAN=ask an answer to a worker’s decision is refused', () => {
  const WAYS = {
    'the keys of a console': { typed: 'terminal' },
    'the web console': { typed: 'web' },
    'the panel': { pressed: true },
  } as const
  const VERBS = {
    reply: (ports: Parameters<typeof reply>[2]) => reply({ id: '1', from: HUMAN }, '1', ports),
    send: (ports: Parameters<typeof reply>[2]) =>
      send({ recipient: 'coder', from: HUMAN, replyTo: 'from-coder' }, 'yes', ports),
  } as const
  const WHERE = { here: [{}, ASK], 'where the worker runs': [ASK, {}] } as const
  const rows = Object.keys(WAYS).flatMap((way) =>
    Object.keys(VERBS).flatMap((verb) => Object.keys(WHERE).map((where) => [way, verb, where])),
  ) as [keyof typeof WAYS, keyof typeof VERBS, keyof typeof WHERE][]

  test.each(rows)('by %s, with %s; it is set %s', async (way, verb, where) => {
    const [worker, mine] = WHERE[where]
    const { bus, ask } = scene(worker)
    expect(await ask()).toEqual({ kind: 'none', number: 1 })
    const before = filesIn(bus.home.messages)
    const answer = VERBS[verb]({ ...portsOn(bus, mine), ...WAYS[way] })
    await expect(answer).rejects.toMatchObject({
      code: 'GATE_REFUSED',
      message: expect.stringMatching(
        /^an answer to this decision does not count: AGENT_CHAT_HUMAN/,
      ),
    })
    expect(filesIn(bus.home.messages)).toEqual(before)
    expect(filesIn(bus.home.words)).toEqual([])
    expect(await ask()).toEqual({ kind: 'none', number: 1 })
    expect(surfaces(bus)).toEqual(OPEN)
  })

  test('typed at a terminal, with exit 3; every command says that it is open', async () => {
    const { bus, ask } = scene()
    await ask()
    const typed = ['reply', '1', '1', '--as', HUMAN]
    const run = await runAsHuman(typed, { home: bus.home.root, env: ASK })
    expect(run).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('AGENT_CHAT_HUMAN is ask'),
    })
    expect(await commands(bus)).toEqual(SAID_OPEN)
    expect(await runAsHuman(typed, { home: bus.home.root })).toMatchObject({ code: 0 })
    expect(await commands(bus)).toEqual({ questions: 0, needs: [], status: 0 })
    expect(await ask()).toEqual({ kind: 'yes', number: 1 })
  })

  test('until the worker was started without it', async () => {
    const { bus, ask } = scene(ASK)
    await ask()
    await ask({})
    await reply({ id: '1', from: HUMAN }, '1', { ...portsOn(bus), typed: 'terminal' })
    expect(surfaces(bus)).toEqual(SHUT)
    expect(await ask({})).toEqual({ kind: 'yes', number: 1 })
    expect(surfaces(bus)).toEqual(SHUT)
  })

  test('while a decision of a session’s own is answered', async () => {
    const bus = tempBus(['backend'])
    const env = { AGENT_CHAT_NAME: 'backend' }
    await runCli(['escalate', 'Deploy?', '--option', 'yes'], { home: bus.home.root, env })
    await reply({ id: '1', from: HUMAN }, '1', { ...portsOn(bus, ASK), typed: 'terminal' })
    expect(surfaces(bus)).toEqual(SHUT)
  })
})

describe('an answer that does not count leaves a worker’s decision open, before and after it is read', () => {
  test.each<
    [way: string, fields: Parameters<ReturnType<typeof scene>['answered']>[0], typed: boolean]
  >([
    ['that nobody typed', {}, false],
    ['not proven', { extra: { choice: '1', ...UNPROVEN } }, false],
    ['that asks back', { kind: 'question', body: 'why?' }, true],
    ['to somebody else', { to: 'alice' }, true],
  ])('%s', async (_, fields, typed) => {
    const { bus, ask, answered } = scene()
    await ask()
    const message = answered(fields)
    if (typed) noteWord(bus, message)
    expect(surfaces(bus)).toEqual(OPEN)
    expect(await ask()).toEqual({ kind: 'none', number: 1 })
    markRead(bus, message.to, message.id)
    expect(surfaces(bus)).toEqual(OPEN)
    expect(await commands(bus)).toMatchObject(SAID_OPEN)
    await reply({ id: '1', from: HUMAN }, '1', { ...portsOn(bus), typed: 'terminal' })
    expect(surfaces(bus)).toEqual(SHUT)
    expect(await ask()).toEqual({ kind: 'yes', number: 1 })
  })

  test('and the human is told once', async () => {
    const { bus, ask, answered } = scene()
    await ask()
    answered()
    await ask()
    await ask()
    const notes = readUnread(bus, HUMAN).messages.filter(({ kind }) => kind === 'note')
    expect(notes.map(({ body }) => body)).toEqual([
      'The answer to decision 1 does not count: it did not come from a terminal of yours. The decision stays open. Answer in the console, or type in a shell: agent-chat reply 1 1',
    ])
  })
})

test('an answer that is on its way is judged once it is there', async () => {
  const { bus, ask, answered } = scene()
  await ask()
  const message = answered()
  noteWord(bus, message)
  // Its sender stands still between the conversation and the inbox.
  const [there, away] = [bus.home.unread('coder', message.id), join(bus.home.root, 'away')]
  renameSync(there, away)
  expect(await ask()).toEqual({ kind: 'none', number: 1 })
  expect(surfaces(bus)).toEqual(OPEN)
  renameSync(away, there)
  expect(await ask()).toEqual({ kind: 'yes', number: 1 })
  expect(readUnread(bus, HUMAN).messages.map(({ kind }) => kind)).toEqual(['question'])
})

describe('an answer that is held', () => {
  test.each([
    ['typed', true, SHUT, 'yes'],
    ['that nobody typed', false, OPEN, 'none'],
  ])(
    'keeps the decision open; released, it counts by the same rule: %s',
    async (_, typed, after, kind) => {
      const { bus, ask, answered } = scene()
      await ask()
      const message = answered()
      const { id, chain } = message
      if (typed) noteWord(bus, message)
      putMark(bus.home, 'coder', id, { ring: 'held', why: 'w', chain, at: '2026-11-21T03:39:12Z' })
      expect(surfaces(bus)).toEqual(OPEN)
      expect(await ask()).toEqual({ kind: 'none', number: 1 })
      release(bus, [{ to: 'coder', id, chain, why: 'w', at: '' }])
      expect(await ask()).toMatchObject({ kind })
      expect(surfaces(bus)).toEqual(after)
    },
  )
})

test('a decision that has its answer stays shut when the note of the typed word is gone', async () => {
  const { bus, ask, decision } = scene()
  await ask()
  const ports = { ...portsOn(bus), typed: 'terminal' as const }
  const { message } = await reply({ id: '1', from: HUMAN }, '1', ports)
  markRead(bus, 'coder', message.id)
  rmSync(bus.home.word(message.id))
  expect(decision().id).toBe(message.inReplyTo)
  expect(surfaces(bus)).toEqual(SHUT)
  await expect(reply({ id: '1', from: HUMAN }, '1', ports)).rejects.toMatchObject({ code: 'USAGE' })
})
