import { expect, test } from 'vitest'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { shortId } from '../../src/message/shortId.ts'
import { runCli } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'

/** What is typed as @beta, and what comes: `TASK` is the short id of their only task. */
const MISTAKES: [typed: string[], error: string, hint: string][] = [
  [['send', 'hello there'], 'who is it for?', 'agent-chat send @name "hello there"'],
  [['task', 'do x', '@alpha'], 'the recipient comes first', 'agent-chat task @alpha "do x"'],
  [['send', 'hello', '@alpha'], 'the recipient comes first', 'agent-chat send @alpha "hello"'],
  [['send', 'to', 'alpha:', 'hi'], 'the recipient comes first', 'agent-chat send @alpha "hi"'],
  [
    ['send', '@gamma', 'hi'],
    'no session named @gamma is registered',
    'see who is there with: agent-chat who; to start it: agent-chat start gamma; --queue keeps it until @gamma joins',
  ],
  [
    ['send', '@alpah', 'hi', '--queue'],
    'no session named @alpah is registered',
    'did you mean @alpha? See who is there with: agent-chat who',
  ],
  [
    ['send', '@alpha', 'hi', '-m', 'there'],
    'the message was given twice: as arguments and with --message',
    'leave one out',
  ],
  [['fail', 'TASK'], 'the reason is missing: page the list', 'agent-chat fail TASK "the reason"'],
  [['done', 'list'], '"list" does not say which task', 'for "page the list": agent-chat done TASK'],
  [
    ['reply', '1', '--as', 'beta'],
    'no message has the id "1"',
    'see the ids with: agent-chat history',
  ],
  [['show', '0'], 'no message has the id "0"', 'see the ids with: agent-chat history'],
  [
    ['watch-file', 'api.yaml'],
    '--notify @name is required',
    'agent-chat watch-file api.yaml --notify @name',
  ],
  [
    ['ask'],
    'missing recipient',
    'agent-chat ask @name "the question"; to keep waiting: agent-chat ask --resume <id>',
  ],
]

test.each(MISTAKES)('%j', async (typed, error, hint) => {
  const bus = tempBus(['alpha', 'beta'])
  const task = { from: 'alpha', to: 'beta', kind: 'task', body: 'page the list' }
  const short = shortId(sendMessage(bus, task).message.id)
  const { code, stdout, stderr } = await runCli(
    typed.map((word) => word.replace('TASK', short)),
    { home: bus.home.root, env: { AGENT_CHAT_NAME: 'beta' } },
  )
  expect([2, 4]).toContain(code)
  expect(stdout).toBe('')
  expect(stderr.replaceAll(short, 'TASK')).toBe(`agent-chat: ${error}\n  hint: ${hint}\n`)
})

test('the list and what was done, without a quote', async () => {
  const bus = tempBus(['alpha', 'beta'])
  sendMessage(bus, { from: 'alpha', to: 'beta', kind: 'task', body: 'page the list' })
  const run = await runCli(['done', 'the', 'list', 'src/list.ts', 'pages'], {
    home: bus.home.root,
    env: { AGENT_CHAT_NAME: 'beta' },
  })
  expect(run).toMatchObject({ code: 0, stdout: 'done: page the list (from @alpha)\n', stderr: '' })
})

test('--queue keeps a message for a session that has not joined; it finds it when it joins', async () => {
  const bus = tempBus(['alpha'])
  const run = (...args: string[]) => runCli(args, { home: bus.home.root })
  expect(await run('send', '@gamma', 'the API is ready', '--queue', '--as', 'alpha')).toMatchObject(
    {
      code: 0,
      stdout: expect.stringMatching(/^sent \w{5} to @gamma\n$/),
      stderr: 'agent-chat: @gamma is not here; its inbox keeps this until @gamma joins\n',
    },
  )
  expect(JSON.parse((await run('who', '--json')).stdout).sessions).toMatchObject([
    { name: 'alpha' },
  ])
  expect(await run('send', '@send', 'x', '--queue', '--as', 'alpha')).toMatchObject({ code: 2 })
  await run('prune', '--older-than', '1s')
  expect((await run('join', 'gamma', '--no-watch')).stdout).toContain('1 unread message')
  expect((await run('inbox', 'gamma')).stdout).toContain('the API is ready')
})

test('a message is the same as data in a history, a search and a thread', async () => {
  const bus = tempBus(['alpha', 'beta'])
  const draft = { from: 'alpha', to: 'beta', kind: 'note', body: 'the contract', subject: 'API' }
  const { id } = sendMessage(bus, draft).message
  const messages = async (...args: string[]) =>
    JSON.parse((await runCli([...args, '--json'], { home: bus.home.root })).stdout).messages
  const [message] = await messages('thread', shortId(id))
  expect(message).toMatchObject({ id, body: 'the contract', subject: 'API' })
  expect(await messages('history')).toMatchObject([message])
  expect(await messages('search', 'contract')).toMatchObject([message])
})
