import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { shortId } from '../../message/shortId.ts'
import { ringableIds } from '../../session/rings.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { startAsk } from '../../testing/asks.ts'
import { runCli } from '../../testing/cli.ts'
import { filesIn, tempBus, tempDirectory } from '../../testing/home.ts'
import { runAsHuman, runAsOwner } from '../../testing/human.ts'

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

/** What a hook says when the bell of this session is rung: an exit code of 2 wakes the agent. */
const bellOf = (bus: Bus, agent: TestAgent) =>
  agent.hook('bell', { file_path: bus.home.ring(agent.name), event: 'change' })

/** Nothing of a wait is left: no note, no lock. */
const nothingLeft = (bus: Bus) => expect(filesIn(bus.home.asks)).toEqual([])

test('--no-wait asks, and returns at once', async () => {
  const { bus, frontend } = await pair()
  const run = await runCli(['ask', '@frontend', 'which?', '--no-wait', '--json'], {
    home: bus.home.root,
    env: { AGENT_CHAT_NAME: 'backend' },
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const { outcome, question, answer } = JSON.parse(run.stdout)
  expect({ outcome, answer, kind: question.kind }).toEqual({
    outcome: 'sent',
    answer: null,
    kind: 'question',
  })
  nothingLeft(bus)
  expect((await bellOf(bus, frontend)).stderr).toBe('New message from @backend. Check inbox.\n')
})

describe('an answer', () => {
  test('is printed and read, ends the ask with 0, and rings nobody', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, ended } = await ask('Is amount', 'a string?')
    expect((await bellOf(bus, frontend)).stderr).toBe('New message from @backend. Check inbox.\n')
    const reply = await frontend.chat('reply', id, 'It is, because of the rounding')
    expect(reply).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sent \S+ to @backend\n$/),
      stderr: '',
    })
    const { code, stdout, stderr } = await ended
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `agent-chat: waiting for the answer of @frontend to ${shortId(id)}\n`,
    })
    expect(stdout).toMatch(
      new RegExp(
        `^── \\S{5} ──\nfrom @frontend · reply · just now\nin reply to ${shortId(id)}\n\nIt is, because of the rounding\n── end \\S+ ──\n\nThis is the answer of @frontend, not of your user\\. Go on .*\n$`,
      ),
    )
    expect(await bellOf(bus, backend)).toMatchObject({ code: 0, stderr: '' })
    expect(filesIn(bus.home.bell('backend'))).toEqual([])
    expect(filesIn(bus.home.inbox('backend'))).toEqual([])
    expect(filesIn(bus.home.readDirectory('backend'))).toHaveLength(1)
    expect(filesIn(bus.home.heldBy('backend'))).toEqual([])
    nothingLeft(bus)
  })

  test('does not ring while it lies there and is waited for', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, child, ended } = await ask('why?')
    child.kill('SIGSTOP')
    await frontend.chat('reply', id, 'because')
    expect(filesIn(bus.home.inbox('backend'))).toHaveLength(1)
    expect(ringableIds(bus, 'backend')).toEqual([])
    expect(await bellOf(bus, backend)).toMatchObject({ code: 0, stderr: '' })
    child.kill('SIGCONT')
    expect((await ended).code).toBe(0)
  })

  test('comes to a question from standard input as well', async () => {
    const { bus, frontend } = await pair()
    const { id, ended } = await startAsk(bus, 'backend', ['@frontend', '-'], {
      input: 'a long one?\n',
    })
    expect((await frontend.chat('inbox')).stdout).toContain('\na long one?\n')
    await frontend.chat('reply', id, 'yes')
    expect((await ended).code).toBe(0)
  })

  test('with --json is data', async () => {
    const { frontend, ask } = await pair()
    const { id, ended } = await ask('why?', '--json')
    const answer = JSON.parse((await frontend.chat('reply', id, 'because', '--json')).stdout)
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      outcome: 'answered',
      question: expect.objectContaining({ id, to: 'frontend', kind: 'question', body: 'why?' }),
      answer,
    })
    expect(answer).toMatchObject({ kind: 'reply', thread: id, in_reply_to: id, hops: 0 })
  })

  test('of one that asks somebody else meanwhile ends the first ask alone', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend', 'docs')
    const [, frontend, docs] = agents as [TestAgent, TestAgent, TestAgent]
    const first = await startAsk(bus, 'backend', ['@frontend', 'one'])
    const second = await startAsk(bus, 'frontend', ['@docs', 'two'])
    await frontend.chat('reply', first.id, 'uno')
    expect((await first.ended).stdout).toContain('\nuno\n')
    await docs.chat('reply', second.id, 'dos')
    expect((await second.ended).stdout).toContain('\ndos\n')
    nothingLeft(bus)
  })

  test('that asks back ends the ask, as a question', async () => {
    const { frontend, ask } = await pair()
    const { id, ended } = await ask('one or two?')
    await frontend.chat('reply', id, 'of which?', '--question')
    expect((await ended).stdout).toContain('from @frontend · question · ')
  })

  test('that is held back is none, until its chain may go on', async () => {
    const { bus, backend, frontend, ask } = await pair()
    const { id, child } = await ask('why?')
    child.kill('SIGKILL')
    const again = () => backend.chat('ask', '--resume', id, '--timeout', '0.01')
    const silent = { ring: 'held' as const, why: '4 messages on this chain' }
    const inReplyTo = { id, thread: id }
    const draft = {
      from: 'frontend',
      to: 'backend',
      kind: 'reply',
      body: 'because',
      inReplyTo,
      silent,
    }
    const { chain } = sendMessage(bus, draft).message
    expect(await again()).toMatchObject({ code: 5, stdout: '' })
    await runAsOwner(['release', chain], { home: bus.home.root })
    expect(await again()).toMatchObject({ code: 0, stdout: expect.stringContaining('\nbecause\n') })
    expect(await frontend.chat('inbox', '--count')).toMatchObject({ stdout: '1\n' })
  })
})

describe('what is refused asks nothing, with one line, a hint and a code', () => {
  const REFUSED: [what: string, code: number, error: string, args: string[], says: RegExp][] = [
    [
      'nobody',
      2,
      'USAGE',
      [],
      /missing recipient\n {2}hint: agent-chat ask @name "the question"; to keep waiting: agent-chat ask --resume <id>\n/,
    ],
    [
      'no question',
      2,
      'BODY_EMPTY',
      ['@frontend'],
      /the message is empty\n {2}hint: agent-chat ask @frontend "/,
    ],
    ['blanks', 2, 'BODY_EMPTY', ['@frontend', ' '], /the message is empty/],
    ['oneself', 2, 'USAGE', ['@backend', 'x'], /@backend cannot ask itself/],
    ['everybody', 2, 'BROADCAST_REFUSED', ['@all', 'x'], /no broadcast/],
    [
      'a name of nobody',
      4,
      'SESSION_UNKNOWN',
      ['@nobody', 'x'],
      /no session named @nobody is registered/,
    ],
    ['a slip of a name', 4, 'SESSION_UNKNOWN', ['@frontned', 'x'], /did you mean @frontend\?/],
    [
      'a session that left',
      4,
      'SESSION_UNKNOWN',
      ['@docs', 'x'],
      /@docs has left or has not joined yet: .*\n {2}hint: .*agent-chat who/,
    ],
    [
      'the human, whom nothing reaches',
      4,
      'HUMAN_UNREACHABLE',
      ['@human', 'x'],
      /agent-chat escalate "…"/,
    ],
    [
      'a time that is none',
      2,
      'USAGE',
      ['@frontend', 'x', '--timeout', 'soon'],
      /--timeout: "soon" is not a duration/,
    ],
    ['a question twice', 2, 'USAGE', ['@frontend', 'x', '--file', '/etc/hostname'], /given twice/],
    [
      'again and anew',
      2,
      'USAGE',
      ['--resume', 'x', '--file', '/etc/hostname'],
      /--resume takes no new question/,
    ],
    [
      'again, to somebody',
      2,
      'USAGE',
      ['@frontend', '--resume', 'x'],
      /--resume takes no new question/,
    ],
    [
      'again, of no message',
      4,
      'MESSAGE_UNKNOWN',
      ['--resume', '20991231'],
      /no message has the id "20991231"/,
    ],
  ]
  test.each(REFUSED)('%s: %i %s', async (_, code, error, args, says) => {
    const { bus } = await world()
    const run = await as(bus, 'backend', 'ask', ...args)
    expect(run).toMatchObject({ code, stdout: '' })
    expect(run.stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(run.stderr).toMatch(says)
    const data = await as(bus, 'backend', 'ask', '--json', ...args)
    expect(JSON.parse(data.stderr).error.code).toBe(error)
    expect(filesIn(bus.home.messages)).toEqual([])
    nothingLeft(bus)
  })

  /** `backend` and `frontend` are there, `docs` has left. */
  async function world() {
    const bus = tempBus(['backend', 'frontend', 'docs'])
    expect(await as(bus, 'docs', 'leave')).toMatchObject({ code: 0 })
    return { bus }
  }

  const as = (bus: Bus, name: string, ...args: string[]) =>
    runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: name, AGENT_CHAT_NOTIFY: 'off' } })

  test('an agent that has ended: 4', async () => {
    const { bus, backend, frontend } = await pair()
    await frontend.end()
    expect(await backend.chat('ask', '@frontend', 'x')).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(
        /@frontend is gone: .*; nothing was asked\n {2}hint: .*agent-chat send @frontend/,
      ),
    })
    expect(filesIn(bus.home.messages)).toEqual([])
  })

  test.each([
    ['another’s question', 'docs', 'question', /was asked by @backend, not by @docs/],
    [
      'a handover',
      'backend',
      'handover',
      /is a handover, not a question\n {2}hint: to ask .*: agent-chat ask @frontend "/,
    ],
    [
      'a task',
      'backend',
      'task',
      /is a task, not a question\n {2}hint: see its state with: agent-chat thread [a-z\d]{5}\n/,
    ],
  ])('again, %s: 2', async (_, name, kind, says) => {
    const bus = tempBus(['backend', 'frontend', 'docs'])
    const { id } = sendMessage(bus, { from: 'backend', to: 'frontend', kind, body: 'x' }).message
    const run = await as(bus, name, 'ask', '--resume', id)
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) })
    nothingLeft(bus)
  })
})

describe('asks that would wait for each other', () => {
  test.each([2, 3])('in a circle of %i are told at once to the one who closes it', async (size) => {
    const names = ['a', 'b', 'c'].slice(0, size)
    const { bus, agents } = await agentsOn(...names)
    const open = []
    for (const [at, name] of names.slice(1).entries())
      open.push(await startAsk(bus, name, [`@${names[(at + 2) % size]}`, 'x']))
    const waiting = open.at(-1)?.id
    const short = shortId(waiting ?? '')
    const [last] = agents as [TestAgent]
    const run = await last.chat('ask', '@b', 'and you?')
    const links = size === 2 ? '@b waits for you' : '@b waits for @c, @c waits for you'
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toBe(
      `agent-chat: a circle, so nobody would ever answer: ${links}; nothing was asked\n` +
        `  hint: first answer the question that waits for you: agent-chat reply ${short} "…", or ask back: agent-chat reply ${short} --question "…"\n`,
    )
    expect(filesIn(bus.home.inbox('b'))).toEqual([])
    // Answered, the circle is open again.
    await last.chat('reply', waiting ?? '', 'yes')
    expect((await open.at(-1)?.ended)?.code).toBe(0)
    expect(await last.chat('ask', '@b', 'and you?', '--timeout', '0.01')).toMatchObject({ code: 5 })
  })

  test('by going on with an old question are told as well', async () => {
    const { bus, backend, frontend } = await pair()
    const first = await startAsk(bus, 'backend', ['@frontend', 'x', '--timeout', '0.1'])
    await first.ended
    const second = await startAsk(bus, 'frontend', ['@backend', 'y'])
    const run = await backend.chat('ask', '--resume', first.id)
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(
      /^agent-chat: a circle, so nobody would ever answer: @frontend waits for you\n/,
    )
    await backend.chat('reply', second.id, 'yes')
    expect((await second.ended).code).toBe(0)
    expect(await frontend.chat('inbox', '--count')).toMatchObject({ stdout: '1\n' })
  })
})

describe('the human', () => {
  /** Variables of a desktop that tells of messages. */
  function desktop(): Record<string, string> {
    const bin = tempDirectory()
    for (const program of ['notify-send', 'osascript'])
      writeFileSync(`${bin}/${program}`, '#!/bin/sh\n', { mode: 0o755 })
    return { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0' }
  }

  test('is asked where they can be told, and answers', async () => {
    const bus = tempBus(['backend'])
    const { id, ended } = await startAsk(bus, 'backend', ['@human', 'now?'], { env: desktop() })
    const reply = await runAsHuman(['reply', id, 'yes', '--as', 'human'], { home: bus.home.root })
    expect(reply).toMatchObject({ code: 0, stderr: '' })
    expect(await ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^[\s\S]*\nyes\n[\s\S]*\nYour user wrote this, in answer to your question\.\n$/,
      ),
    })
  })

  test('asks, and is told how to go on', async () => {
    const { bus, frontend } = await pair()
    const { id, ended } = await startAsk(bus, 'human', ['@frontend', 'how far?'])
    await frontend.chat('reply', id, 'nearly done')
    expect((await ended).stdout).toMatch(
      /\nnearly done\n── end (\S+) ──\n\nAnswer with: agent-chat reply \1 "…"\n$/,
    )
    expect(filesIn(bus.home.inbox('human'))).toEqual([])
  })

  test('is told of a second answer, for which no agent is there to be rung', async () => {
    const { bus, frontend } = await pair()
    const { id, child, ended } = await startAsk(bus, 'human', ['@frontend', 'how far?'])
    child.kill('SIGSTOP')
    for (const body of ['half', 'nearly done']) await frontend.chat('reply', id, body)
    child.kill('SIGCONT')
    const { stdout, stderr } = await ended
    expect(stdout).toContain('\nhalf\n')
    expect(stderr).toMatch(/\nagent-chat: 1 more answer came: agent-chat inbox\n$/)
    const inbox = await runCli(['inbox', 'human'], { home: bus.home.root })
    expect(inbox.stdout).toContain('\nnearly done\n')
  })

  test('and a session make a circle like any two', async () => {
    const { bus, backend } = await pair()
    const { id } = await startAsk(bus, 'human', ['@backend', 'x'])
    const env = { AGENT_CHAT_NAME: 'backend', ...desktop() }
    const run = await runCli(['ask', '@human', 'y'], { home: bus.home.root, env })
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/@human waits for you; nothing was asked/),
    })
    expect(await backend.chat('reply', id, 'z')).toMatchObject({ code: 0 })
  })
})

test('what goes wrong while it waits is told, and that the question was sent', async () => {
  const bus = tempBus(['backend', 'frontend'])
  // A list of a conversation cannot be read here.
  writeFileSync(bus.home.threads, '')
  const { code, stderr } = await runCli(
    ['ask', '@frontend', 'why?', '--as', 'backend', '--timeout', '1'],
    {
      home: bus.home.root,
    },
  )
  const [file = ''] = filesIn(bus.home.inbox('frontend'))
  const id = file.replace(/\.md$/, '')
  expect(code).toBe(1)
  expect(stderr).toContain(
    `agent-chat: asked as ${shortId(id)}; to keep waiting: agent-chat ask --resume ${shortId(id)}\n`,
  )
  expect(stderr).toMatch(
    /\nagent-chat: the home \S+ is not a directory, or one of its parents is not \(ENOTDIR[^\n]*\n {2}hint: /,
  )
})
