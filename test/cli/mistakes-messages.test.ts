import { expect, test } from 'vitest'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { shortId } from '../../src/message/shortId.ts'
import { runCli } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'

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
    'give at least 4 characters of the id; see the ids with: agent-chat history',
  ],
  [
    ['show', '0'],
    'no message has the id "0"',
    'give at least 4 characters of the id; see the ids with: agent-chat history',
  ],
  [
    ['watch-file', 'api.yaml'],
    '--notify @name is required',
    'agent-chat watch-file api.yaml --notify @name',
  ],
  [
    ['send', '@alpha', '@gamma', 'hi'],
    'a message goes to one session at a time',
    'agent-chat send @alpha "hi"; then: agent-chat send @gamma "hi"; or put a text that begins with a name in quotes',
  ],
  [
    ['send', '@Back End', 'hi'],
    '"@Back End" is not a session name',
    'a name is 1 to 32 of a-z, 0-9 and -, and starts with a letter, for example: back-end',
  ],
  [
    ['done', 'all finished'],
    'no task of @beta fits "all finished"',
    'for "page the list": agent-chat done TASK "all finished"',
  ],
  [
    ['send', '@alpha hi there'],
    'the name and the text are 1 argument',
    'agent-chat send @alpha "hi there"',
  ],
  [['task', 'list'], 'who is the task for?', 'did you mean: agent-chat tasks'],
  [['task', 'done', 'TASK'], 'who is the task for?', 'did you mean: agent-chat done TASK'],
  [
    ['reply', '@alpha', 'hi'],
    '"@alpha" is a session, and reply answers a message',
    'agent-chat send @alpha "…"; or see the ids with: agent-chat history',
  ],
  [['reply', 'yes', 'TASK'], 'the id comes first', 'agent-chat reply TASK "yes"'],
  [
    ['send', '@alpha', '--foo'],
    "unknown option '--foo'",
    'put text that begins with a dash after two dashes: agent-chat send @name -- --help; see: agent-chat send --help',
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
  const run = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
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

test('a task from a name that is not registered: it is told, and can be ended', async () => {
  const { home } = tempBus(['beta'])
  const run = (as: string, ...args: string[]) =>
    runCli(args, { home: home.root, env: { AGENT_CHAT_NAME: as } })
  expect(await run('gamma', 'task', '@beta', 'page the list')).toMatchObject({
    code: 0,
    stderr: 'agent-chat: @gamma is not registered: its inbox keeps answers until @gamma joins\n',
  })
  expect(await run('beta', 'accept')).toMatchObject({
    stdout: 'accepted: page the list (from @gamma)\n',
    stderr: 'agent-chat: @gamma is not registered; its inbox keeps this until @gamma joins\n',
  })
  expect((await run('beta', 'done')).stdout).toBe('done: page the list (from @gamma)\n')
  expect((await run('gamma', 'inbox', '--count')).stdout).toBe('2\n')
})

test('show and thread tell the state of a task, which stays unread until the inbox shows it', async () => {
  const bus = tempBus(['alpha', 'beta'])
  const task = { from: 'alpha', to: 'beta', kind: 'task', body: 'page the list' }
  const short = shortId(sendMessage(bus, task).message.id)
  const run = (...args: string[]) =>
    runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: 'beta' } })
  await run('accept', short)
  expect((await run('show', short)).stdout).toContain('\nto @beta · unread · task accepted')
  expect((await run('inbox')).stdout).toContain('page the list')
  await run('done', short)
  expect((await run('thread', short)).stdout).toMatch(
    new RegExp(`^3 messages in the thread ${short}:\ntask ${short}: done\n`),
  )
})

test('whoever sends or unpauses is told whether the doorbells are paused', async () => {
  const { home } = tempBus(['alpha', 'beta'])
  const run = (...args: string[]) => runAsOwner(args, { home: home.root })
  const send = () => run('send', '@beta', 'hi', '--as', 'alpha')
  const paused = 'agent-chat: all doorbells are paused: agent-chat unpause\n'
  await run('pause')
  expect((await send()).stderr).toEqual(paused)
  await run('unpause')
  expect((await send()).stderr).toEqual('')
  expect((await run('unpause')).stdout).toBe('nothing was paused\n')
})

test.each<[line: string, names: string[]]>([
  ['', ['alpha', 'beta']],
  ['', []],
  ['who', ['alpha', 'beta']],
  ['who', []],
  ['who --all', ['alpha']],
])('agent-chat %s of %j says on its first line that all is paused', async (line, names) => {
  const { home } = tempBus(names)
  const run = (...args: string[]) => runAsOwner(args, { home: home.root })
  const looks = async (...more: string[]) =>
    (await run(...line.split(' ').filter(Boolean), ...more)).stdout
  const before = await looks()
  expect(JSON.parse(await looks('--json'))).toMatchObject({ paused: false })
  await run('pause')
  const first = 'Notifications are paused. To turn them on again: agent-chat unpause\n\n'
  expect(await looks()).toBe(`${first}${before}`)
  expect(JSON.parse(await looks('--json'))).toMatchObject({ paused: true })
  await run('unpause')
  expect(await looks()).toBe(before)
  expect(JSON.parse(await looks('--json'))).toMatchObject({ paused: false })
})

test('the errors of ask --json are data alone', async () => {
  const { home } = tempBus(['alpha', 'beta'])
  const { code, stderr } = await runCli(
    ['ask', '@beta', 'why?', '--as', 'alpha', '--json', '-t', '0.1'],
    { home: home.root },
  )
  expect(code).toBe(5)
  expect(JSON.parse(stderr).error.hint).toMatch(/agent-chat ask --resume \w{5}$/)
})

test('a decision without an answer lists its options; a question that was answered says so', async () => {
  const { home } = tempBus(['alpha', 'beta'])
  const run = (...args: string[]) => runAsOwner(args, { home: home.root })
  await run('escalate', 'Drop it?', '--option', 'yes', '--option', 'no', '--as', 'alpha')
  expect((await run('reply', '1', '--as', 'human')).stderr).toContain(
    '; the options are: 1. yes; 2. no\n',
  )
  const { stdout } = await run('send', '@beta', 'why?', '-q', '--as', 'alpha')
  const id = /^sent (\S+)/.exec(stdout)?.[1] ?? ''
  const question = async () =>
    /(?:waiting for the answer of|answered by) @beta.*/.exec(
      (await run('gate', 'alpha')).stdout,
    )?.[0]
  expect(await question()).toBe(`waiting for the answer of @beta: ${id}`)
  await run('reply', id, 'because', '--as', 'beta')
  expect(await question()).toBe(`answered by @beta, not read yet: ${id}`)
})
