import { writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Ports } from '../chat/ports.ts'
import { giveTask } from '../chat/tasks/give.ts'
import { shortId } from '../message/shortId.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { tempBus } from '../testing/home.ts'
import type { CallRequest } from './call.ts'
import { callTool } from './call.ts'
import { TOOLS } from './table.ts'
import type { Answer } from './tool.ts'

type Row = { id: string; title: string; status: string }

/** The tools as `name` calls them; each call is one of a new server, which knows nothing. */
function caller(bus: ReturnType<typeof tempBus>, name: string) {
  const env = { AGENT_CHAT_HOME: bus.home.root, AGENT_CHAT_NAME: name }
  const ports = {
    env,
    bus: () => bus,
    notice: () => {},
    isTerminal: async () => false,
  } as unknown as Ports
  const request = {
    callId: undefined,
    signal: new AbortController().signal,
    progress: () => {},
    afterAnswer: () => {},
    confirm: () => undefined,
  } satisfies Omit<CallRequest, 'given'>
  const call = async (tool: string, given: object = {}): Promise<Answer> => {
    const found = TOOLS.find((one) => one.name === tool)
    if (!found) throw new Error(tool)
    return callTool(found, { ...request, given }, ports)
  }
  const rows = async (given: object = {}) => (await call('list_tasks', given)).tasks as Row[]
  return { call, rows, ports }
}

let bus: ReturnType<typeof tempBus>
let carol: ReturnType<typeof caller>

beforeEach(() => {
  bus = tempBus(['carol', 'dave'])
  carol = caller(bus, 'carol')
})

async function add(...titles: string[]) {
  for (const title of titles) await carol.call('add_task', { title })
}

/** What is completed, looked at without a call that would be the last list. */
async function completed(): Promise<string[]> {
  const rows = await caller(bus, 'carol').rows({ status: 'completed' })
  return rows.map(({ title }) => title)
}

describe('words that fit several tasks change nothing and list them', () => {
  test.each([
    'grocery',
    'groceries',
    'the grocery one',
    'my task about groceries',
    'groc',
    'the task about grocer',
  ])('%j', async (task) => {
    await add('Write tests', 'Buy groceries', 'Grocery shopping list')
    expect(await carol.call('complete_task', { task })).toMatchObject({
      success: false,
      code: 'ID_AMBIGUOUS',
      candidates: [
        expect.stringMatching(/^1\) Buy groceries \(/),
        expect.stringMatching(/^2\) Grocery shopping list \(/),
      ],
    })
    expect(await completed()).toEqual([])
  })
})

describe('words that fit one task do', () => {
  test.each([
    ['log', 'Read the logs'],
    ['test', 'Write tests'],
    ['dent', 'Call dentist'],
    ['buy groceries', 'Buy groceries'],
    ['the shopping', 'Grocery shopping list'],
  ])('%j is %j', async (task, title) => {
    await add('Read the logs', 'Write tests', 'Call dentist', 'Buy groceries')
    await add('Buy groceries for Mum', 'Grocery shopping list')
    expect(await carol.call('complete_task', { task })).toMatchObject({ task: { title } })
    expect(await completed()).toEqual([title])
  })
})

describe('a number is one of the list that was given last', () => {
  test.each([
    ['1', 'Buy groceries'],
    ['#1', 'Buy groceries'],
    ['1)', 'Buy groceries'],
    ['the first one', 'Buy groceries'],
    ['2', 'Grocery shopping list'],
    ['my second task', 'Grocery shopping list'],
    ['the last one', 'Grocery shopping list'],
  ])('%j after candidates is %j', async (task, title) => {
    await add('Write tests', 'Call dentist', 'Buy groceries', 'Grocery shopping list', 'Sleep')
    await carol.rows()
    await carol.call('complete_task', { task: 'grocery' })
    expect(await carol.call('complete_task', { task })).toMatchObject({ task: { title } })
  })

  test.each([
    [{}, '1', 'Write tests'],
    [{}, 'my second task', 'Call dentist'],
    [{ status: 'pending' }, 'the first one', 'Call dentist'],
    [{ status: 'pending' }, '2', 'Sleep'],
    [{ status: 'completed' }, '#1', 'Write tests'],
    [{ limit: 2 }, '1', 'Call dentist'],
  ])('after list_tasks %j, %j is %j', async (given, task, title) => {
    await add('Write tests', 'Call dentist', 'Sleep')
    await carol.call('complete_task', { task: 'tests' })
    await carol.rows(given)
    expect(await carol.call('update_task', { task, priority: 'high' })).toMatchObject({
      task: { title },
    })
  })

  test('one list is completed by its numbers from the first to the last', async () => {
    await add('One', 'Two', 'Three')
    await carol.rows({ status: 'pending' })
    for (const [task, title] of [
      ['1', 'One'],
      ['2', 'Two'],
      ['3', 'Three'],
    ])
      expect(await carol.call('complete_task', { task })).toMatchObject({ task: { title } })
  })

  test('where no list was given and all and pending differ, it asks; then a number does', async () => {
    await add('Write tests', 'Call dentist', 'Sleep')
    await carol.call('complete_task', { task: 'tests' })
    expect(await carol.call('complete_task', { task: '1' })).toMatchObject({
      code: 'ID_AMBIGUOUS',
      candidates: [/^1\) Write tests \(\w+, completed\)$/, /^2\) Call dentist \(/].map((line) =>
        expect.stringMatching(line),
      ),
    })
    expect(await carol.call('complete_task', { task: '2' })).toMatchObject({
      task: { title: 'Call dentist' },
    })
  })

  test('after a choice among candidates, the number of another list asks', async () => {
    await add('Write tests', 'Buy groceries', 'Grocery shopping list')
    await carol.rows()
    await carol.call('complete_task', { task: 'grocery' })
    await carol.call('complete_task', { task: '1' })
    expect(await carol.call('complete_task', { task: '2' })).toMatchObject({
      candidates: [/^1\) Grocery shopping list/, /^2\) Buy groceries/].map((line) =>
        expect.stringMatching(line),
      ),
    })
  })

  test("what another session listed, and what was listed long ago, is nobody's list", async () => {
    await add('Write tests', 'Call dentist')
    await carol.rows({ limit: 1 })
    const later = { ...bus.clock, now: () => Date.now() + 40 * 60_000 }
    bus = { ...bus, clock: later }
    await caller(bus, 'dave').rows()
    expect(await caller(bus, 'carol').call('complete_task', { task: '1' })).toMatchObject({
      task: { title: 'Write tests' },
    })
  })

  test('a title with the number in it is asked about as well', async () => {
    await add('Buy milk', 'Fix issue 1', 'First aid course')
    for (const task of ['1', 'first'])
      expect(await carol.call('complete_task', { task })).toMatchObject({ code: 'ID_AMBIGUOUS' })
  })
})

test.each(['999', 'task 999', '#9', 'nothing', 'b2rm5', 'the seventh'])(
  '%j of nobody is not found, in one wording',
  async (task) => {
    await add('Buy milk')
    expect(await carol.call('complete_task', { task })).toEqual({
      success: false,
      code: 'TASK_UNKNOWN',
      error: 'Task not found',
      hint: 'see your tasks with list_tasks',
    })
  },
)

test("another session's task is not found either", async () => {
  await add('Buy milk')
  const [row] = await carol.rows()
  const dave = caller(bus, 'dave')
  for (const tool of ['complete_task', 'delete_task', 'update_task'])
    expect(await dave.call(tool, { task: row?.id })).toMatchObject({ error: 'Task not found' })
})

test('what comes near is listed, and nothing is changed; what says nothing asks', async () => {
  await add('Buy groceries', 'Call dentist')
  expect(await carol.call('complete_task', { task: 'groceries for Mum' })).toMatchObject({
    error: 'Task not found',
    candidates: [expect.stringMatching(/^1\) Buy groceries/)],
  })
  expect(await carol.call('complete_task', { task: 'the task' })).toMatchObject({
    code: 'ID_AMBIGUOUS',
    candidates: [expect.anything(), expect.anything()],
  })
  expect(await completed()).toEqual([])
})

test('a task that was given to another has its state from there', async () => {
  const request = { recipient: '@dave', from: 'carol' }
  const { message } = await giveTask(
    request,
    async () => ({ body: 'Paint the wall', extra: {} }),
    carol.ports,
  )
  await carol.rows()
  for (const task of [shortId(message.id), '1'])
    expect(await carol.call('complete_task', { task })).toMatchObject({
      code: 'USAGE',
      error: expect.stringContaining('you gave to @dave'),
    })
})

describe('deleting', () => {
  test('needs the token of the first call, and may be repeated', async () => {
    await add('Buy groceries', 'Grocery shopping list')
    const [one, two] = (await carol.rows()).map(({ id }) => id)
    for (const confirm of [true, undefined, 'yes', '', false])
      expect(await carol.call('delete_task', { task: one, confirm })).toMatchObject({
        success: false,
        id: one,
        confirm: expect.stringMatching(/^\w{12}$/),
        hint: expect.stringContaining('ask your user'),
      })
    const { confirm } = await carol.call('delete_task', { task: one })
    expect(await carol.call('delete_task', { task: two, confirm })).toMatchObject({
      success: false,
      id: two,
    })
    for (const task of [one, one, 'Buy groceries'])
      expect(await carol.call('delete_task', { task, confirm })).toMatchObject({
        success: true,
        deleted: true,
        id: one,
      })
    expect(await carol.call('delete_task', { task: one })).toMatchObject({ deleted: true })
    expect((await carol.rows()).map(({ id }) => id)).toEqual([two])
  })

  test('a token is for the title that was named', async () => {
    await add('Buy groceries')
    const { confirm, id } = await carol.call('delete_task', { task: 'groceries' })
    await carol.call('update_task', { task: id, title: 'Groceries and all else' })
    expect(await carol.call('delete_task', { task: id, confirm })).toMatchObject({ success: false })
  })

  test('the number of the list stays that of the same task while it is asked', async () => {
    await add('Buy groceries', 'Grocery shopping list')
    await carol.call('delete_task', { task: 'grocery' })
    const asked = await carol.call('delete_task', { task: '2' })
    const { confirm } = asked
    expect(await carol.call('delete_task', { task: '2', confirm })).toMatchObject({ deleted: true })
    expect(asked.task).toMatchObject({ title: 'Grocery shopping list' })
  })
})

test('a text has one name, and its older ones are understood', async () => {
  for (const name of ['message', 'words'])
    expect(await carol.call('search', { [name]: 'nothing here' })).toMatchObject({ messages: [] })
  expect(await carol.call('search', { words: ['nothing'] })).toMatchObject({ success: true })
  for (const [at, name] of ['message', 'task'].entries())
    expect(
      await carol.call('assign_task', { to: 'dave', [name]: `Job ${at}`, queue: true }),
    ).toMatchObject({ success: true })
  for (const name of ['message', 'question'])
    expect(await carol.call('escalate', { [name]: 'Which?', options: ['a', 'b'] })).toMatchObject({
      success: true,
    })
  expect(await carol.call('consult', { to: 'dave', question: ' ' })).toMatchObject({
    error: 'Message cannot be empty',
    hint: '"message" is: the question',
  })
  const dave = caller(bus, 'dave')
  for (const [at, name] of ['result', 'message'].entries())
    expect(
      await dave.call('complete_task', { task: `the job ${at}`, [name]: `came ${at}` }),
    ).toMatchObject({ task: { result: `came ${at}` } })
})

test('a context may be an object', async () => {
  const context = {
    user_intent: 'log in',
    previous_decisions: ['JWT'],
    constraints: [],
    more: { a: 1 },
  }
  const given = { message: 'Which?', options: ['a', 'b'], context }
  const { shown } = await carol.call('escalate', given)
  expect(shown).toContain(
    '**The user wants:** log in\n\n**Decided already:**\n- JWT\n\n**More:** {"a":1}',
  )
  expect(await carol.call('consult', { to: 'carol', message: 'x', context })).not.toMatchObject({
    error: expect.stringContaining('ontext'),
  })
})

test('overdue is a status: of own tasks by their date, of others by what was expected', async () => {
  await carol.call('add_task', { title: 'Late', due_date: '2020-01-01' })
  await carol.call('add_task', { title: 'Late, done', due_date: '2020-01-01' })
  await carol.call('complete_task', { task: 'done' })
  const today = new Date()
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  await carol.call('add_task', { title: 'Today', due_date: day })
  await carol.call('add_task', { title: 'Some day' })
  const rows = await carol.rows()
  expect(rows).toMatchObject([{ overdue: true }, { overdue: false }, { overdue: false }, {}])
  expect(await carol.rows({ status: 'overdue' })).toMatchObject([{ title: 'Late' }])
})

test('a list that cannot be read says so, and how to begin a new one', async () => {
  await add('Buy milk')
  writeFileSync(bus.home.list('carol'), '{broken')
  expect(await carol.call('list_tasks')).toMatchObject({ code: 'FILE_UNREADABLE' })
})

test('an inbox that another reader holds is tried once more after half a second', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (const [heldMs, success] of [
    [10_300, true],
    [30_000, false],
  ] as const) {
    const began = performance.now()
    const release = tryPidLock(bus.home.readerLock('carol'), bus.processes)
    if (typeof release !== 'function') throw new Error('the lock is taken')
    setTimeout(release, heldMs)
    let answer: Answer | undefined
    void carol.call('inbox').then((given) => {
      answer = given
    })
    // The reader is waited for 10 s, and 0.5 s later once more.
    await vi.advanceTimersByTimeAsync(10_400)
    expect(answer).toBeUndefined()
    while (answer === undefined) await vi.advanceTimersByTimeAsync(100)
    expect(answer).toMatchObject(
      success
        ? { success, unread: 0 }
        : { success, error: expect.stringMatching(/^Service temporarily unavailable: another/) },
    )
    expect(performance.now() - began).toBeGreaterThanOrEqual(success ? 10_500 : 20_500)
    await vi.advanceTimersByTimeAsync(heldMs)
  }
})
