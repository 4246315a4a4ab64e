import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { type Run, type RunOptions, runCli } from '../../testing/cli.ts'
import { filesIn, tempBus } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'

const as = (
  bus: Bus,
  name: string,
  args: string[],
  options: Partial<RunOptions> = {},
): Promise<Run> =>
  runCli(args, {
    home: bus.home.root,
    env: { AGENT_CHAT_NAME: name, AGENT_CHAT_NOTIFY: 'off' },
    ...options,
  })

const escalate = (bus: Bus, ...args: string[]) => as(bus, 'backend', ['escalate', ...args])

/** What the human types: an answer to a decision counts from their own terminal alone. */
const human = (bus: Bus, ...args: string[]) =>
  runAsOwner(args, {
    home: bus.home.root,
    env: { AGENT_CHAT_NAME: 'human', AGENT_CHAT_NOTIFY: 'off' },
  })

/** What `backend` was sent. */
async function told(bus: Bus) {
  const { messages } = JSON.parse((await as(bus, 'backend', ['inbox', '--peek', '--json'])).stdout)
  return messages as Record<string, unknown>[]
}

const OPTIONS = ['--option', 'drop it', '--option', 'keep it, for a release']

describe('escalate', () => {
  test('sends the human a numbered question, and says under which number it is answered', async () => {
    const bus = tempBus(['backend'])
    const args = [
      'Drop the column?',
      ...OPTIONS,
      '--context',
      'two clients\nread it',
      '--recommend',
      'keep it',
    ]
    const run = await escalate(bus, ...args)
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sent \S{5} to @human\n$/),
      stderr: 'agent-chat: decision 1: the answer comes as a message; go on with other work\n',
    })
    const { stdout } = await human(bus, 'inbox')
    expect(stdout).toMatch(
      /from @backend · question · just now · "decision 1: Drop the column\?"\n\nDrop the column\?\n\n/,
    )
    expect(stdout).toContain(
      '**Context:** two clients\nread it\n\n1. drop it\n2. keep it, for a release\n\n**Recommended:** keep it\n',
    )
    expect(stdout).toMatch(
      /\nAnswer with: agent-chat reply <id> "…"; decision 1 with: agent-chat reply 1 <number of an option>\n$/,
    )
  })

  test('--json gives the message with its number and its options', async () => {
    const bus = tempBus(['backend'])
    const run = await escalate(bus, 'Drop it?', ...OPTIONS, '--json')
    expect(run.stderr).toBe('')
    expect(JSON.parse(run.stdout)).toMatchObject({
      from: 'backend',
      to: 'human',
      kind: 'question',
      escalation: '1',
      options: ['drop it', 'keep it, for a release'],
    })
  })

  test('counts on, also where several come at once', async () => {
    const bus = tempBus(['backend'])
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, at) => escalate(bus, `Number ${at}?`, '--json')),
    )
    const numbers = runs.map(({ stdout }) => JSON.parse(stdout).escalation)
    expect(numbers.sort()).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test('of a long question has its beginning as subject', async () => {
    const bus = tempBus(['backend'])
    const { subject, body } = JSON.parse(
      (await escalate(bus, `why\n${'🙂'.repeat(200)}`, '--json')).stdout,
    )
    expect(subject).toBe(`decision 1: why ${'🙂'.repeat(75)}…`)
    expect(body).toContain('🙂'.repeat(200))
    expect(JSON.parse((await human(bus, 'inbox', '--json')).stdout).messages).toMatchObject([
      { subject },
    ])
  })

  const REFUSED: [what: string, code: number, args: string[], says: RegExp][] = [
    [
      'nothing',
      2,
      [],
      /missing required argument 'question'\n {2}hint: for example: agent-chat escalate .+; see: agent-chat escalate --help/,
    ],
    [
      'blanks',
      2,
      [' ', ...OPTIONS],
      /the question is missing\n {2}hint: agent-chat escalate "Drop the column now\?"/,
    ],
    [
      'an option of two lines',
      2,
      ['x', '--option', 'a\nb'],
      /an option is one line of 1 to 200 .*\n.*put .* --context/,
    ],
    ['an empty option', 2, ['x', '--option', ' '], /an option is one line/],
    ['a long option', 2, ['x', '--option', 'x'.repeat(201)], /an option is one line/],
    [
      'an option that a terminal obeys',
      2,
      ['x', '--option', 'a\u001b[2J'],
      /an option is one line/,
    ],
    [
      'too many options',
      2,
      ['x', ...Array(21).fill('--option=y')],
      /at most 20 options, not 21\n {2}hint: keep the likely ones/,
    ],
    [
      'the same option twice',
      2,
      ['Drop it?', '--option', 'yes', '--option', ' yes'],
      /two options are the same: yes\n {2}hint: leave one out/,
    ],
    [
      'too much context',
      2,
      [
        'x',
        '--context',
        'y'.repeat(120_000),
        '--recommend',
        'y'.repeat(130_000),
        'z'.repeat(20_000),
      ],
      /262144 bytes/,
    ],
  ]
  test.each(REFUSED)('%s: %i', async (_, code, args, says) => {
    const bus = tempBus(['backend'])
    const run = await escalate(bus, ...args)
    expect(run).toMatchObject({ code, stdout: '' })
    expect(run.stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(run.stderr).toMatch(says)
    expect(filesIn(bus.home.messages)).toEqual([])
    expect(filesIn(bus.home.escalations)).toEqual([])
  })

  test('the longest that it takes is read again', async () => {
    const bus = tempBus(['backend'])
    // Each of these signs takes two bytes in a header.
    const option = (at: number) => '"'.repeat(at) + '\\'.repeat(200 - at)
    const options = Array.from({ length: 20 }, (_, at) => ['--option', option(at)]).flat()
    expect((await escalate(bus, 'x', ...options)).code).toBe(0)
    const { messages, bad } = JSON.parse((await human(bus, 'inbox', '--json')).stdout)
    expect(bad).toEqual([])
    expect(messages[0].options).toHaveLength(20)
  })

  test('by the human: 2', async () => {
    expect(await human(tempBus(['backend']), 'escalate', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /nobody above you to decide\n {2}hint: ask a session: agent-chat ask @name/,
      ),
    })
  })

  test('by nobody known: 6, also where a person might sit', async () => {
    const bus = tempBus(['backend'])
    expect(await runCli(['escalate', 'x'], { home: bus.home.root })).toMatchObject({ code: 6 })
  })
})

describe('a decision', () => {
  const asked = async (...flags: string[]) => {
    const bus = tempBus(['backend'])
    const { id } = JSON.parse((await escalate(bus, 'Drop it?', ...flags, '--json')).stdout)
    return { bus, id }
  }

  test.each([
    ['the number of an option', ['2'], '2. keep it, for a release', '2'],
    ['a number with a sign', ['#1'], '1. drop it', '1'],
    ['a number with a point', ['1.'], '1. drop it', '1'],
    ['words', ['ask', 'me', 'on Monday'], 'ask me on Monday', undefined],
    [
      'words that begin with a number',
      ['2 weeks, then drop it'],
      '2 weeks, then drop it',
      undefined,
    ],
  ])('is taken by %s', async (_, words, body, choice) => {
    const { bus, id } = await asked(...OPTIONS)
    const run = await human(bus, 'reply', '1', ...words)
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sent \S{5} to @backend\n$/),
    })
    const [answer] = await told(bus)
    expect(answer).toMatchObject({
      from: 'human',
      kind: 'reply',
      thread: id,
      in_reply_to: id,
      body,
    })
    expect(answer?.choice).toBe(choice)
  })

  test('without options takes a number as words', async () => {
    const { bus } = await asked()
    expect(await human(bus, 'reply', '1', '3')).toMatchObject({ code: 0 })
    expect(await told(bus)).toMatchObject([{ body: '3' }])
  })

  test('is found by its number, with or without a sign, and by its id', async () => {
    const { bus } = await asked(...OPTIONS)
    await escalate(bus, 'And that?', '--option', 'yes')
    const { id } = JSON.parse((await escalate(bus, 'And this?', '--json')).stdout)
    for (const [part, option] of [
      ['1', '1'],
      ['#2', '1'],
      [id, 'no'],
    ])
      expect((await human(bus, 'reply', part, option)).code).toBe(0)
    expect((await told(bus)).map(({ body }) => body)).toEqual(['1. drop it', '1. yes', 'no'])
  })

  test.each([
    [
      'an option that is not there',
      ['1', '3'],
      2,
      /no option 3: this decision has 2\n {2}hint: the options are: 1\. drop it; 2\. /,
    ],
    ['option 0', ['1', '0'], 2, /no option 0/],
    [
      'a decision that is not there',
      ['7', '1'],
      4,
      /there is no decision 7\n {2}hint: .*agent-chat status human/,
    ],
    [
      'no words',
      ['1'],
      2,
      /empty\n {2}hint: agent-chat reply 1 <number>, or: agent-chat reply 1 "your decision"/,
    ],
  ])('%s is told, and nothing is sent', async (_, args, code, says) => {
    const { bus } = await asked(...OPTIONS)
    const run = await human(bus, 'reply', ...args)
    expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) })
    expect(await told(bus)).toEqual([])
  })

  test('is shown by its number', async () => {
    const { bus, id } = await asked(...OPTIONS)
    for (const part of ['1', '#1']) {
      expect((await human(bus, 'show', part)).stdout).toContain(` is ${id}\n`)
      expect((await human(bus, 'thread', part)).stdout).toMatch(/^1 message in the thread/)
    }
    expect((await human(bus, 'show', '2')).code).toBe(4)
    expect((await as(bus, 'backend', ['show', '1'])).code).toBe(4)
  })

  test('is not an agent’s to take, nor does its number stand for it there', async () => {
    const { bus, id } = await asked(...OPTIONS)
    expect((await as(bus, 'backend', ['reply', '#1', '2'])).code).toBe(4)
    expect((await as(bus, 'backend', ['reply', id, '2'])).stderr).toMatch(
      /is from @\S+, which is you/,
    )
    expect((await as(bus, 'docs', ['reply', id, '2'])).stderr).toMatch(
      /was to @human, not to @docs/,
    )
  })

  test('rings the session that asked for it, and no other', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    const [backend, frontend] = agents as [TestAgent, TestAgent]
    await backend.chat('escalate', 'Drop it?', ...OPTIONS)
    await human(bus, 'reply', '1', '2')
    const bell = (agent: TestAgent) =>
      agent.hook('bell', { file_path: bus.home.ring(agent.name), event: 'change' })
    expect((await bell(backend)).stderr).toBe('New message from @human. Check inbox.\n')
    expect((await bell(frontend)).stderr).toBe('')
    expect((await backend.chat('inbox')).stdout).toMatch(
      /from your user, at another terminal[\s\S]*\n2\. keep it, for a release\n/,
    )
  })
})
