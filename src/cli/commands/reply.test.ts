import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import type { Draft } from '../../bus/mail/draft.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { shortId } from '../../message/shortId.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { type RunOptions, runCli } from '../../testing/cli.ts'
import { filesIn, tempBus, tempDirectory } from '../../testing/home.ts'
import { runAsHuman } from '../../testing/human.ts'
import { fileText, putInInbox } from '../../testing/message.ts'

/** `backend` has written to `frontend`. */
function world(draft: Partial<Draft> = {}) {
  const bus = tempBus(['backend', 'frontend', 'docs'])
  const { message } = sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'question',
    body: 'why?',
    ...draft,
  })
  return { bus, message }
}

const reply = (bus: Bus, from: string, args: string[], options: Partial<RunOptions> = {}) =>
  runCli(['reply', ...args], { home: bus.home.root, env: { AGENT_CHAT_NAME: from }, ...options })

const replied = async (bus: Bus, from: string, ...args: string[]) => {
  const { code, stdout, stderr } = await reply(bus, from, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('reply', () => {
  test('goes to the sender, in the thread, and says what it sent', async () => {
    const { bus, message } = world()
    const { code, stdout, stderr } = await reply(bus, 'frontend', [
      message.id,
      'because',
      'of',
      'the rounding',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^sent [a-z\d]{5} to @backend\n$/)
    expect(await replied(bus, 'frontend', message.id, 'and more')).toMatchObject({
      from: 'frontend',
      to: 'backend',
      kind: 'reply',
      thread: message.id,
      in_reply_to: message.id,
      chain: message.chain,
      hops: 1,
      body: 'and more',
    })
    expect(filesIn(bus.home.inbox('backend'))).toHaveLength(2)
  })

  test('to an answer stays in the thread of the first message', async () => {
    const { bus, message } = world()
    const answer = await replied(bus, 'frontend', message.id, 'one')
    expect(await replied(bus, 'backend', answer.id, 'two')).toMatchObject({
      to: 'frontend',
      thread: message.id,
      in_reply_to: answer.id,
    })
  })

  test('finds the message by a part of its id that only one has', async () => {
    const { bus, message } = world()
    expect(await replied(bus, 'frontend', message.id.slice(9, 22), 'x')).toMatchObject({
      in_reply_to: message.id,
    })
  })

  test('takes its body from a file or standard input as send does', async () => {
    const { bus, message } = world()
    const path = `${tempDirectory()}/note.md`
    writeFileSync(path, 'from a file')
    expect((await replied(bus, 'frontend', message.id, '--file', path)).body).toBe('from a file')
    const piped = await reply(bus, 'frontend', [message.id, '-', '--json'], { input: 'piped' })
    expect(JSON.parse(piped.stdout).body).toBe('piped')
  })

  test.each([
    ['a question', 'reply', 'question', []],
    ['a handover', 'reply', 'handover', []],
    ['a task', 'result', 'task', []],
    ['a question, asking back', 'question', 'question', ['--question']],
    ['a task, asking back', 'question', 'task', ['--question']],
  ])('to %s is a %s', async (_, expected, kind, flags) => {
    const { bus, message } = world({ kind })
    expect((await replied(bus, 'frontend', message.id, 'x', ...flags)).kind).toBe(expected)
  })

  test('to a message that somebody put into the inbox by hand goes to who it says it is from', async () => {
    const { bus } = world()
    putInInbox(bus.home, 'frontend', 'by-hand.md', fileText('docs', 'frontend', 'hello'))
    expect(await replied(bus, 'frontend', 'by-hand', 'x')).toMatchObject({
      to: 'docs',
      in_reply_to: 'by-hand',
    })
  })

  test('in a conversation whose first message is gone goes on with it', async () => {
    const { bus, message } = world()
    const answer = await replied(bus, 'frontend', message.id, 'one')
    rmSync(bus.home.message(message.id))
    expect(await replied(bus, 'backend', answer.id, 'two')).toMatchObject({
      thread: message.id,
      to: 'frontend',
    })
  })

  test('to who has left is kept for them, and that is said', async () => {
    const { bus, message } = world()
    await runCli(['leave', 'backend'], { home: bus.home.root })
    const run = await reply(bus, 'frontend', [message.id, 'because'])
    expect(run).toMatchObject({
      code: 0,
      stderr: 'agent-chat: @backend has left; its inbox keeps this for when it joins again\n',
    })
    expect(filesIn(bus.home.inbox('backend'))).toHaveLength(1)
  })
})

describe('the human', () => {
  test('answers whatever an agent wrote, and rings it', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    const [backend] = agents as [TestAgent, TestAgent]
    const toOther = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'task',
      body: 'page it',
    }).message
    const run = await runAsHuman(['reply', toOther.id, 'not now', '--as', 'human', '--json'], {
      home: bus.home.root,
    })
    expect(JSON.parse(run.stdout)).toMatchObject({
      from: 'human',
      to: 'backend',
      kind: 'reply',
      hops: 0,
    })
    const bell = await backend.hook('bell', {
      file_path: bus.home.ring('backend'),
      event: 'change',
    })
    expect(bell.stderr).toBe('New message from @human. Check inbox.\n')
  })
})

describe('what is refused is not sent', () => {
  const REFUSED: [what: string, code: number, from: string, args: string[], says: RegExp][] = [
    [
      'one’s own message',
      2,
      'backend',
      ['ID', 'x'],
      /ID is from @backend, which is you\n {2}hint: .*send @frontend --reply-to ID/,
    ],
    [
      'another’s message',
      2,
      'docs',
      ['ID', 'x'],
      /ID was to @frontend, not to @docs\n {2}hint: .*send @backend/,
    ],
    [
      'no message',
      4,
      'frontend',
      ['20991231', 'x'],
      /no message has the id "20991231"\n {2}hint: .*agent-chat history/,
    ],
    ['a path', 4, 'frontend', ['../../etc/passwd', 'x'], /no message has the id/],
    [
      'no words',
      2,
      'frontend',
      ['ID'],
      /the message is empty\n {2}hint: agent-chat reply ID "what you want to say"/,
    ],
    [
      'no id',
      2,
      'frontend',
      [],
      /missing required argument 'id'\n {2}hint: for example: agent-chat reply .+; see: agent-chat reply --help/,
    ],
    ['words and a file', 2, 'frontend', ['ID', 'x', '--file', '/etc/hostname'], /given twice/],
    ['a name that is none', 2, '../x', ['ID', 'x'], /not a session name/],
    [
      'an unknown option',
      2,
      'frontend',
      ['ID', 'x', '--to', 'y'],
      /unknown option '--to'\n.*agent-chat reply --help/,
    ],
  ]
  test.each(REFUSED)('%s: %i', async (_, code, from, args, says) => {
    const { bus, message } = world()
    const run = await reply(
      bus,
      from,
      args.map((arg) => arg.replace('ID', message.id)),
    )
    expect(run).toMatchObject({ code, stdout: '' })
    const stderr = run.stderr.replaceAll(shortId(message.id), 'ID')
    expect(stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(stderr).toMatch(says)
    expect(filesIn(bus.home.messages)).toHaveLength(1)
  })

  test('nobody as sender: 6', async () => {
    const { bus, message } = world()
    expect(await reply(bus, '', [message.id, 'x'])).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/join first/),
    })
  })

  test('a note of the program itself: 4', async () => {
    const { bus } = world()
    const { id } = sendMessage(bus, {
      from: 'agent-chat',
      to: 'human',
      kind: 'note',
      body: 'held',
    }).message
    const run = await runCli(['reply', id, 'ok', '--as', 'human'], { home: bus.home.root })
    expect(run).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('no session named @agent-chat'),
    })
    expect(filesIn(bus.home.inboxes)).toEqual([])
    expect(filesIn(bus.home.inbox('agent-chat'))).toEqual([])
  })

  test('a part of two ids: 2, and both are shown', async () => {
    const { bus } = world()
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'more' })
    const run = await reply(bus, 'frontend', ['from-backend', 'x'])
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /"from-backend" matches 2 messages\n {2}hint: name one of them, for example: \w{5}, \w{5}\n/,
      ),
    })
  })
})
