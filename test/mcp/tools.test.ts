import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeAt } from '../../src/bus/home.ts'
import { agentsOn } from '../../src/testing/agent.ts'
import { runCli } from '../../src/testing/cli.ts'
import { tempHome } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { type Data, ERAS, type Host, host, kill } from './client.ts'

const NAMES =
  'send inbox reply consult assign_task list_tasks update_task status who history search escalate add_task complete_task delete_task'.split(
    ' ',
  )

describe.each(ERAS)('a host that speaks %s', (era) => {
  test('lists every tool with its schemas, and no session can be named as the caller', async () => {
    const { client } = await host(tempHome('alice'), 'alice', { era })
    expect(client.getNegotiatedProtocolVersion()).toBe(era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('as')
      expect(outputSchema).toMatchObject({ type: 'object', required: ['success'] })
      expect(annotations?.destructiveHint).toBe(name === 'delete_task')
    }
    expect(JSON.stringify(tools).length).toBeLessThan(16_000)
  })

  test('a question, its answer, a task and its result go through two servers', async () => {
    const home = tempHome('alice', 'bob')
    const alice = await host(home, 'alice', { era })
    const bob = await host(home, 'bob', { era })
    const asked = alice.call('consult', { to: 'bob', question: 'Why?', context: 'the contract' })
    const [question] = await read(bob)
    expect(question).toMatchObject({
      from: 'alice',
      kind: 'question',
      body: expect.stringContaining('the contract'),
    })
    await bob.call('reply', { id: question?.short_id, message: 'Because.' })
    expect(await asked).toMatchObject({
      success: true,
      answered: true,
      answer: 'Because.',
      from: 'bob',
    })

    const given = await alice.call('assign_task', {
      to: 'bob',
      task: 'Count the files',
      title: 'Files',
    })
    expect(given).toMatchObject({
      success: true,
      agent: 'bob',
      note: expect.stringContaining('30 minutes'),
    })
    const busy = await alice.call('assign_task', { to: 'bob', task: 'More' })
    expect(busy).toMatchObject({
      success: false,
      code: 'SESSION_BUSY',
      error: expect.stringContaining('Files'),
    })
    expect(await alice.call('assign_task', { to: 'bob', task: 'More', queue: true })).toMatchObject(
      { success: true },
    )
    const rowOf = async () => ((await bob.call('list_tasks')).tasks as unknown[])[0]
    const accepted = await bob.call('update_task', { task: given.id, state: 'accepted' })
    expect(accepted).toMatchObject({ success: true, task: { state: 'accepted' } })
    expect(accepted.task).toEqual(await rowOf())
    const done = await bob.call('complete_task', { task: 'files', result: '12 files' })
    expect(done).toMatchObject({ success: true, task: { state: 'done', result: '12 files' } })
    expect(done.task).toEqual(await rowOf())
    const { tasks } = await alice.call('list_tasks', { which: 'given' })
    expect(tasks).toMatchObject([
      { id: given.id, state: 'done', status: 'completed', result: '12 files', overdue: false },
      { state: 'sent', status: 'pending' },
    ])
    // By time: that it was accepted came first.
    expect((await read(alice)).at(-1)).toMatchObject({ kind: 'result', from: 'bob' })
  })

  test('deleting asks the person; where the host cannot, it says so', async () => {
    const home = tempHome('alice')
    const titles = async (one: Host) =>
      ((await one.call('list_tasks')).tasks as { title: string }[]).map(({ title }) => title)
    const no = await host(home, 'alice', { era, says: 'no' })
    await no.call('add_task', { title: 'Buy groceries' })
    expect(await no.call('delete_task', { task: 'groceries' })).toMatchObject({ success: false })
    const mute = await host(home, 'alice', { era })
    const refused = await mute.call('delete_task', { task: 'groceries' })
    expect(refused).toMatchObject({
      success: false,
      hint: expect.stringContaining('confirm'),
      confirm: expect.any(String),
    })
    expect(await titles(mute)).toEqual(['Buy groceries'])
    // A `claude -p` says that it can ask, and nobody ever answers.
    const alone = await host(home, 'alice', {
      ...{ era, says: 'yes' },
      env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' },
    })
    expect(await alone.call('delete_task', { task: 'groceries' })).toMatchObject({ success: false })
    const yes = await host(home, 'alice', { era, says: 'yes' })
    expect(await yes.call('delete_task', { task: 'groceries' })).toMatchObject({
      success: true,
      deleted: true,
    })
    expect(await titles(mute)).toEqual([])
    expect(readFileSync(home.list('alice'), 'utf8')).toContain('deleted_at')
  })
})

/** The unread messages, once there are some. */
async function read(who: Host) {
  let found: { short_id: string; [field: string]: unknown }[] = []
  await until('a message', async () => {
    found = (await who.call('inbox')).messages as typeof found
    return found.length > 0
  })
  return found
}

test('parameters are checked first; a reference that fits several lists them', async () => {
  const alice = await host(tempHome('alice', 'bob'), 'alice')
  const errors: [string, Record<string, unknown>, string][] = [
    ['add_task', { title: ' ' }, 'Title cannot be empty'],
    ['add_task', {}, 'Title is missing'],
    ['add_task', { title: 'x', due_date: 'soonish' }, 'Due date "soonish" is no date'],
    ['complete_task', { task: 'nothing' }, 'Task not found'],
    ['send', { to: 'bob', message: 'x', from: 'carol' }, 'send has no parameter "from"'],
    ['send', { to: 'bob', message: 3 }, 'Message is a text'],
    ['escalate', { question: 'x', options: ['a'] }, 'Options is a list of 2 to 4 texts'],
    ['send', { to: 'bob', message: 'x'.repeat(262_145) }, 'Message has 262144 characters at most'],
    ['reply', { id: 'zzzzz', message: 'x' }, 'no message has the id "zzzzz"'],
    ['send', { to: '../bob', message: 'x' }, '"../bob" is not a session name'],
  ]
  for (const [tool, given, error] of errors)
    expect(await alice.call(tool, given)).toMatchObject({
      success: false,
      error,
      hint: expect.any(String),
    })
  const first = await alice.call('add_task', { title: 'Buy groceries' })
  await alice.call('add_task', { title: 'Buy stamps' })
  const two = await alice.call('complete_task', { task: 'buy' })
  expect(two).toMatchObject({ success: false, code: 'ID_AMBIGUOUS' })
  expect(two.candidates).toMatchObject(
    [/^1\) Buy groceries \(/, /^2\) Buy stamps \(/].map((text) => expect.stringMatching(text)),
  )
  for (const _ of [1, 2])
    expect(await alice.call('complete_task', { task: first.id })).toMatchObject({ success: true })
  expect((await alice.call('list_tasks', { status: 'pending' })).count).toBe(1)
  expect(await alice.call('update_task', { task: 'stamps', priority: 'high' })).toMatchObject({
    task: { title: 'Buy stamps', priority: 'high' },
  })
})

test('consults go one after the other; silence is told of, and leaves the next one alone', async () => {
  const home = tempHome('alice', 'bob', 'carol')
  const alice = await host(home, 'alice')
  const began = performance.now()
  const first = alice.call('consult', { to: 'bob', question: 'One?', timeout_seconds: 1 })
  const second = alice.call('consult', { to: 'nobody', question: 'Two?' })
  const third = alice.call('consult', { to: 'carol', question: 'Three?', timeout_seconds: 1 })
  expect(await first).toMatchObject({
    success: false,
    timeout: true,
    error: expect.stringContaining('@bob'),
    suggestion: expect.stringContaining('@bob'),
  })
  expect(await second).toMatchObject({ success: false, code: 'SESSION_UNKNOWN' })
  expect(await third).toMatchObject({ timeout: true })
  expect(performance.now() - began).toBeGreaterThan(2000)
  expect(readdirSync(home.asks).filter((file) => file.endsWith('.json'))).toEqual([])
})

test('two who would wait for each other are told so, and nobody waits for itself', async () => {
  const home = tempHome('alice', 'bob')
  const [alice, bob] = [await host(home, 'alice'), await host(home, 'bob')]
  const asked = alice.call('consult', { to: 'bob', question: 'One?' })
  const [question] = await read(bob)
  expect(await bob.call('consult', { to: 'alice', question: 'Two?' })).toMatchObject({
    success: false,
    code: 'ASK_CIRCLE',
    error: expect.stringContaining('@alice waits for you'),
    hint: expect.stringContaining(`reply ${question?.short_id}`),
  })
  expect(await bob.call('consult', { to: 'bob', question: 'Me?' })).toMatchObject({ code: 'USAGE' })
  expect(readdirSync(home.messages)).toHaveLength(1)
  await bob.call('reply', { id: question?.short_id, message: 'Because.' })
  expect(await asked).toMatchObject({ answered: true, answer: 'Because.' })
})

test('what a session does is told from its heartbeats, and nothing of it is called unknown', async () => {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  await agents[0]?.human('do it')
  const frontend = await host(bus.home, 'frontend')
  await frontend.call('send', { to: 'backend', message: 'hi' })
  const time = expect.stringMatching(/^\d{4}-/)
  const { sessions } = await frontend.call('who')
  expect(sessions).toMatchObject([
    { name: 'backend', state: 'busy', since: time, alive: 'alive', unread: 1, last_seen: time },
    { name: 'frontend', you: true, state: 'idle', alive: 'alive', last_seen: time },
  ])
  await agents[0]?.end()
  const after = await frontend.call('status', { name: 'backend' })
  expect(after).toMatchObject({ sessions: [{ alive: 'gone' }] })
  const bare = await host(tempHome('alice'), 'alice')
  expect(JSON.stringify([await bare.call('who'), await bare.call('status')])).not.toMatch(/unknown/)
  const none = await bare.call('status', { name: 'nobody' })
  expect(none).toMatchObject({ success: false, code: 'SESSION_UNKNOWN' })
})

test('who calls is known by the environment alone; without it, each tool says so and tools are listed', async () => {
  const home = tempHome('alice')
  for (const name of [undefined, 'human']) {
    const nobody = await host(home, name)
    expect((await nobody.client.listTools()).tools).toHaveLength(NAMES.length)
    for (const tool of NAMES)
      expect(await nobody.call(tool)).toMatchObject({ success: false, code: 'IDENTITY_UNKNOWN' })
  }
  const gone = await host(homeAt(`${home.root}-gone`), 'alice')
  expect(await gone.call('who')).toMatchObject({
    success: false,
    error: expect.stringContaining('does not exist'),
  })
})

test('the home is removed in the middle of a call, and is there again later', async () => {
  const home = tempHome('alice', 'bob')
  const alice = await host(home, 'alice')
  let waits = false
  const asked = alice.client.callTool(
    { name: 'consult', arguments: { to: 'bob', question: 'Why?' } },
    { onprogress: () => (waits = true) },
  )
  await until('it waits', () => waits)
  const aside = `${home.root}-aside`
  renameSync(home.root, aside)
  // It looks when something changes where answers come, wherever that is by now.
  writeFileSync(join(aside, 'inbox', 'alice', '.looked-at'), '')
  const missing = { success: false, error: expect.stringContaining('does not exist') }
  expect((await asked).structuredContent).toMatchObject(missing)
  expect(await alice.call('send', { to: 'bob', message: 'x' })).toMatchObject(missing)
  expect(existsSync(home.root)).toBe(false)
  renameSync(aside, home.root)
  expect(await alice.call('send', { to: 'bob', message: 'x' })).toMatchObject({ success: true })
})

test('the server may be killed between any two calls; the same call gives the first answer', async () => {
  const home = tempHome('alice', 'bob')
  const calls: [string, Record<string, unknown>][] = [
    ['send', { to: 'bob', message: 'hi' }],
    ['escalate', { question: 'Which?', options: ['a', 'b'] }],
    ['assign_task', { to: 'bob', task: 'x', queue: true }],
    ['add_task', { title: 'Buy groceries' }],
    ['consult', { to: 'bob', question: 'Why?', timeout_seconds: 1 }],
  ]
  const answers: Data[][] = []
  for (const cut of [false, false, true]) {
    const alice = await host(home, 'alice')
    // What a server leaves that was killed before it had an answer.
    if (cut) forgetAnswers(home.mcpCallsOf(String(readdirSync(home.mcpCalls)[0])))
    const all = calls.map(([tool, given], at) => alice.call(tool, given, `call-${at}`))
    answers.push(await Promise.all(all))
    kill(alice.pid())
  }
  const [first = [], again = [], late = []] = answers
  expect(again).toEqual(first)
  const ids = (all: Data[]) => all.map(({ id, question_id }) => id ?? question_id)
  expect(ids(late)).toEqual(ids(first))
  expect(ids(first)).not.toContain(undefined)
  expect(readdirSync(home.messages)).toHaveLength(4)
  expect(JSON.parse(readFileSync(home.list('alice'), 'utf8'))).toHaveLength(1)
})

function forgetAnswers(directory: string): void {
  for (const file of readdirSync(directory)) {
    const { answer: _, ...begun } = JSON.parse(readFileSync(join(directory, file), 'utf8'))
    writeFileSync(join(directory, file), JSON.stringify(begun))
  }
}

test('what is read is marked after its answer; a call is written down with its long texts cut', async () => {
  const home = tempHome('alice', 'bob')
  const alice = await host(home, 'alice')
  const bob = await host(home, 'bob')
  await alice.call('send', { to: 'bob', message: `look\u202e${'x'.repeat(1000)}` })
  expect((await bob.call('inbox', { peek: true })).unread).toBe(1)
  const [message] = (await bob.call('inbox')).messages as { body: string }[]
  expect(message?.body).toContain('look<U+202E>xxx')
  await until('it to be marked', () => readdirSync(home.readDirectory('bob')).length === 1)
  expect((await bob.call('inbox')).unread).toBe(0)

  const lines = readFileSync(home.mcpLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ session, tool }) => [session, tool])).toEqual([
    ['alice', 'send'],
    ...Array(3).fill(['bob', 'inbox']),
  ])
  expect(lines[0]).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-/),
    conversation: expect.stringContaining('-from-alice'),
    parameters: {
      to: 'bob',
      message: { length: 1005, sha256: expect.stringMatching(/^[\da-f]{64}$/) },
    },
    result: { success: true },
    latency_ms: expect.any(Number),
  })
  expect(lines[0].parameters.message.text).toHaveLength(200)
  expect(statSync(home.mcpLog).mode & 0o777).toBe(0o600)
  const shown = await runCli(['history', '--mcp', '--with', 'alice'], { home: home.root })
  expect(shown.stdout).toMatch(/^\S+ \S+ {2}@alice {2}send {2}ok {2}\d+ ms {2}\{"to":"bob"/)
})

test('resources and prompts', async () => {
  const home = tempHome('alice', 'bob')
  const { client, call } = await host(home, 'alice')
  const { thread } = await call('send', { to: 'bob', message: 'hi' })
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    return JSON.parse(String(Object(contents[0]).text))
  }
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    'chat://inbox/me',
    'chat://agents/alice',
    'chat://agents/bob',
  ])
  expect(await read('chat://inbox/me')).toMatchObject({ name: 'alice', unread: 0 })
  expect(await read(`chat://thread/${thread}`)).toMatchObject({ messages: [{ body: 'hi' }] })
  expect(await read('chat://agents/bob')).toMatchObject({ name: 'bob', state: 'present' })
  for (const uri of [
    'chat://agents/../../etc',
    'chat://thread/nope1',
    'chat://inbox/bob',
    'file:///etc/passwd',
  ])
    await expect(client.readResource({ uri })).rejects.toThrow(/no resource|hint:/)
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['standup', 'handover'])
  const { messages } = await client.getPrompt({ name: 'handover', arguments: { to: 'bob' } })
  expect(JSON.stringify(messages)).toContain('@bob')
  await expect(client.getPrompt({ name: 'handover', arguments: {} })).rejects.toThrow('missing')
})
