import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { readTask } from '../../bus/index/tasks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { type Run, type RunOptions, runCli } from '../../testing/cli.ts'
import { filesIn, tempBus } from '../../testing/home.ts'

const as = (
  bus: Bus,
  name: string,
  args: string[],
  options: Partial<RunOptions> = {},
): Promise<Run> => runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: name }, ...options })

const give = (bus: Bus, body: string, to = 'frontend', subject?: string) =>
  sendMessage(bus, {
    from: 'backend',
    to,
    kind: 'task',
    body,
    ...(subject === undefined ? {} : { subject }),
  }).message

/** A task of `frontend`, given by `backend`; `frontend` says something of it. */
function world(...bodies: string[]) {
  const bus = tempBus(['backend', 'frontend', 'docs'])
  const tasks = (bodies.length === 0 ? ['write the contract'] : bodies).map((body) =>
    give(bus, body),
  )
  const [task] = tasks as [(typeof tasks)[number]]
  return { bus, task, tasks, say: (...args: string[]) => as(bus, 'frontend', args) }
}

const stateOf = (bus: Bus, { id }: { id: string }) => readTask(bus.home, id)?.state

/** What `backend` was sent. */
async function told(bus: Bus) {
  const { messages } = JSON.parse((await as(bus, 'backend', ['inbox', '--peek', '--json'])).stdout)
  return messages as Record<string, unknown>[]
}

describe('what the one who has a task says of it', () => {
  const WORDS: [verb: string, flags: string[], state: string, kind: string, body: string][] = [
    ['accept', [], 'accepted', 'note', 'Accepted: write the contract'],
    ['decline', ['not', 'mine'], 'declined', 'reply', 'not mine'],
    ['done', [], 'done', 'result', 'Done: write the contract'],
    ['done', ['src/list.ts', 'pages'], 'done', 'result', 'src/list.ts pages'],
    ['fail', ['-m', 'the database is gone'], 'failed', 'result', 'the database is gone'],
  ]
  test.each(WORDS)(
    '%s %j makes it %s, by a %s to the one who gave it',
    async (verb, flags, state, kind, body) => {
      const { bus, task, say } = world()
      const run = await say(verb, task.id, ...flags)
      expect(run).toMatchObject({
        code: 0,
        stdout: `${state}: write the contract (from @backend)\n`,
        stderr: '',
      })
      expect(stateOf(bus, task)).toBe(state)
      expect(await told(bus)).toMatchObject([
        {
          kind,
          body,
          task_state: state,
          thread: task.id,
          in_reply_to: task.id,
          chain: task.chain,
          hops: verb === 'accept' ? 1 : 0,
        },
      ])
    },
  )

  test.each(WORDS)(
    '%s %j said again sends nothing, and is no error',
    async (verb, flags, state) => {
      const { bus, task, say } = world()
      await say(verb, task.id, ...flags)
      expect(await say(verb, shortId(task.id))).toMatchObject({
        code: 0,
        stdout: `already ${state}: write the contract (from @backend)\n`,
      })
      const data = JSON.parse((await say(verb, task.id, ...flags, '--json')).stdout)
      expect(data).toMatchObject({ id: task.id, state })
      expect(await told(bus)).toHaveLength(1)
    },
  )

  test('words that come with what was said already are not lost unsaid', async () => {
    const { task, say } = world()
    await say('done', task.id, 'one')
    expect((await say('done', task.id, 'two')).stderr).toBe(
      `agent-chat: nothing was sent; to say more in its thread: agent-chat reply ${shortId(task.id)} "…"\n`,
    )
  })

  test('of the whole way: accepted, worked on, done', async () => {
    const { bus, task, say } = world()
    await say('accept', task.id)
    await say('send', '@backend', 'half of it is there', '--reply-to', task.id)
    expect(stateOf(bus, task)).toBe('working')
    expect((await say('accept', task.id)).stdout).toBe(
      'already working: write the contract (from @backend)\n',
    )
    await say('done', task.id, '-')
    expect(stateOf(bus, task)).toBe('working')
    const done = await as(bus, 'frontend', ['done', task.id, '-'], { input: 'all of it' })
    expect(done.code).toBe(0)
    expect(readTask(bus.home, task.id)).toMatchObject({
      state: 'done',
      result: { body: 'all of it' },
    })
  })

  test('a plain reply to it is its result', async () => {
    const { bus, task, say } = world()
    await say('reply', task.id, 'here you are')
    expect(stateOf(bus, task)).toBe('done')
  })

  test.each([
    ['done', ['decline', '-m', 'no'], 'done'],
    ['done', ['fail', '-m', 'no'], 'done'],
    ['done', ['accept'], 'done'],
    ['decline', ['done'], 'declined'],
    ['fail', ['done'], 'failed'],
  ])(
    'after %s, %j is refused: an ended task stays as it is',
    async (first, [verb = '', ...flags], state) => {
      const { bus, task, say } = world()
      await say(first, task.id, ...(first === 'done' ? [] : ['x']))
      const run = await say(verb, task.id, ...flags)
      expect(run).toMatchObject({ code: 2, stdout: '' })
      expect(run.stderr).toMatch(
        new RegExp(
          `^agent-chat: the task ${shortId(task.id)} has been ${state} since 20.*\n  hint: .*agent-chat reply ${shortId(task.id)} "…"\n$`,
        ),
      )
      expect(stateOf(bus, task)).toBe(state)
    },
  )

  test('that it is accepted does not ring; that it is done does', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    const [backend, frontend] = agents as [TestAgent, TestAgent]
    const { id } = give(bus, 'x')
    const bell = () =>
      backend.hook('bell', { file_path: bus.home.ring('backend'), event: 'change' })
    expect(await frontend.chat('accept', id)).toMatchObject({ code: 0, stderr: '' })
    expect((await bell()).stderr).toBe('')
    await frontend.chat('done', id)
    expect((await bell()).stderr).toBe('New message from @frontend. Check inbox.\n')
  })

  test('reaches who gave it and has left', async () => {
    const { bus, task, say } = world()
    await as(bus, 'backend', ['leave'])
    expect(await say('done', task.id)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('@backend has left'),
    })
    expect(filesIn(bus.home.inbox('backend'))).toHaveLength(1)
  })
})

test('--why goes on working, and says what it is called now', async () => {
  const { bus, task, say } = world()
  expect(await say('fail', 'the contract', '--why', 'gone')).toMatchObject({
    code: 0,
    stderr: 'agent-chat: --why is now called --message\n',
  })
  expect(readTask(bus.home, task.id)).toMatchObject({ state: 'failed', result: { body: 'gone' } })
})

describe('which task is meant', () => {
  const CONTRACT = 'Write the contract for GET /tasks'
  const PAGING = 'Page the list'

  test.each([
    ['a part of the id', (id: string) => [id.slice(0, 22)]],
    ['the whole id', (id: string) => [id]],
    ['the short id', (id: string) => [shortId(id)]],
    ['words of it', () => ['the', 'contract', 'one']],
    ['words of it in quotes', () => ['The CONTRACT one']],
    ['words of it, with a text behind', () => ['the', 'contract', 'one', 'is', 'mine']],
    ['a word with a number', () => ['get', '/tasks']],
  ])('is told by %s', async (_, words) => {
    const { bus, tasks, say } = world(CONTRACT, PAGING)
    const [contract, paging] = tasks as [Message, Message]
    expect(await say('accept', ...words(contract.id))).toMatchObject({ code: 0 })
    expect([stateOf(bus, contract), stateOf(bus, paging)]).toEqual(['accepted', 'sent'])
  })

  test('is told by words of the subject, or by who gave it', async () => {
    const bus = tempBus(['backend', 'frontend'])
    const task = give(bus, 'all of it', 'frontend', 'API v2')
    expect(await as(bus, 'frontend', ['accept', 'API v2'])).toMatchObject({ code: 0 })
    expect(await as(bus, 'frontend', ['done', 'the one from backend'])).toMatchObject({ code: 0 })
    expect(stateOf(bus, task)).toBe('done')
  })

  test('is the only open one where no word says which', async () => {
    const { bus, task, tasks, say } = world(CONTRACT, PAGING)
    await say('done', task.id)
    expect(await say('accept')).toMatchObject({ code: 0 })
    expect(stateOf(bus, tasks[1] ?? task)).toBe('accepted')
  })

  test('is an open one before those that have ended', async () => {
    const { bus, tasks, say } = world('fix the tests', 'fix the tests again')
    await say('done', tasks[1]?.id ?? '')
    expect(await say('accept', 'the tests')).toMatchObject({
      code: 0,
      stdout: 'accepted: fix the tests (from @backend)\n',
    })
    expect(stateOf(bus, tasks[0] ?? { id: '' })).toBe('accepted')
  })

  test('is asked where several fit: they are listed, and nothing is done', async () => {
    const { bus, tasks, say } = world('contract one', 'contract two', 'the list')
    const short = (at: number) => shortId(tasks[at]?.id ?? '')
    const run = await say('done', 'the contract')
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toBe(
      `agent-chat: "the contract" fits 2 tasks; nothing was changed: ${short(0)} (contract one); ${short(1)} (contract two)\n` +
        '  hint: give the id of one, or more of its words in quotes\n',
    )
    expect(await told(bus)).toEqual([])
    expect((await say('accept')).stderr).toMatch(/3 tasks are open; nothing was changed/)
  })

  test('is the one of that very title, whatever else its words fit', async () => {
    const { say } = world('fix the tests', 'fix the tests again')
    expect(await say('accept', 'Fix the tests')).toMatchObject({
      code: 0,
      stdout: 'accepted: fix the tests (from @backend)\n',
    })
  })

  test('of many, the last are listed, each by its beginning', async () => {
    const { say } = world(
      ...Array.from({ length: 8 }, (_, at) => `contract ${at} ${'x'.repeat(200)}`),
    )
    const { stderr } = await say('accept', 'the contract')
    expect(stderr).toMatch(/fits 8 tasks; nothing was changed, the last 5 of them: /)
    expect(stderr.match(/\(contract [3-7] x{48}…\)/g)).toHaveLength(5)
  })

  const REFUSED: [what: string, code: number, args: string[], says: RegExp][] = [
    [
      'words of none',
      4,
      ['accept', 'the', 'database'],
      /no task of @frontend fits "the database"\n {2}hint: for "write the contract": agent-chat accept TASK\n/,
    ],
    ['an id of none', 4, ['accept', '20991231'], /no task of @frontend fits "20991231"/],
    [
      'a message that is no task',
      4,
      ['accept', 'NOTE'],
      /NOTE is not a task\n {2}hint: .*tasks --mine/,
    ],
    [
      'an empty word',
      2,
      ['done', '', 'x'],
      /"" does not say which task\n {2}hint: for "write the contract": agent-chat done TASK "x"\n/,
    ],
    ['signs alone', 2, ['accept', '…?'], /"…\?" does not say which task/],
    [
      'one word of it',
      2,
      ['done', 'contract'],
      /"contract" does not say which task\n {2}hint: for "write the contract": agent-chat done TASK\n/,
    ],
    ['a common word', 2, ['done', 'the'], /"the" does not say which task/],
    [
      'no reason',
      2,
      ['decline', 'the', 'contract'],
      /the reason is missing: write the contract\n {2}hint: agent-chat decline TASK "the reason"\n/,
    ],
    [
      'an empty reason',
      2,
      ['fail', 'the contract', '-m', ' '],
      /the message is empty\n {2}hint: agent-chat fail TASK "…"\n/,
    ],
    [
      'an empty result',
      2,
      ['done', 'the contract', ''],
      /the message is empty\n {2}hint: agent-chat done TASK "…"\n/,
    ],
  ]
  test.each(REFUSED)('%s: %i', async (_, code, args, says) => {
    const { bus, task } = world()
    const { id } = sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'note',
      body: 'x',
    }).message
    const run = await as(
      bus,
      'frontend',
      args.map((arg) => arg.replace('NOTE', id)),
    )
    expect(run).toMatchObject({ code, stdout: '' })
    const stderr = run.stderr.replaceAll(shortId(id), 'NOTE').replaceAll(shortId(task.id), 'TASK')
    expect(stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(stderr).toMatch(says)
    expect(stateOf(bus, task)).toBe('sent')
  })

  test.each([
    ['has', [], '@frontend has it'],
    ['has accepted', ['accept'], '@frontend has accepted it'],
    ['has finished', ['done'], '@frontend has finished it'],
  ])('another’s, who %s it: 2, and by whom', async (_, [verb], holding) => {
    const { bus, task, say } = world()
    if (verb) await say(verb, task.id)
    for (const name of ['docs', 'backend']) {
      expect(await as(bus, name, ['accept', task.id])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `agent-chat: the task ${shortId(task.id)} is not for @${name}: ${holding}\n  hint: see its state with: agent-chat thread ${shortId(task.id)}\n`,
      })
    }
  })

  test('the words of another’s task fit none of one’s own', async () => {
    const { bus } = world()
    expect(await as(bus, 'docs', ['accept', 'the', 'contract'])).toMatchObject({ code: 4 })
  })

  test('the human may have a task as well', async () => {
    const { bus } = world()
    const task = give(bus, 'turn the key', 'human')
    expect(await as(bus, '', ['done', 'the key one', 'turned', '--as', 'human'])).toMatchObject({
      code: 0,
    })
    expect(stateOf(bus, task)).toBe('done')
  })
})
