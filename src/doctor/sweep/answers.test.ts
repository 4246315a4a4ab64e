import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { beginAsk, noteAsk } from '../../bus/index/asks.ts'
import { escalationId, nextEscalation } from '../../bus/index/escalations.ts'
import { openTaskIds, taskIds, threadIds } from '../../bus/index/indexes.ts'
import { openTasks } from '../../bus/index/tasks.ts'
import type { Draft } from '../../bus/mail/draft.ts'
import { marksOf } from '../../bus/mail/marks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { escalationFields } from '../../message/escalation.ts'
import { formatId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { systemClock } from '../../system/clock.ts'
import { systemProcesses } from '../../system/processes.ts'
import { startAgent } from '../../testing/agent.ts'
import { eventsOf, filesIn, tempHome } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'
import { sweepHome } from '../sweep.ts'

/** A process id that nobody has: Linux counts to 4 million at most. */
const NOBODY = 99_999_999

/** One for all messages: two clocks may give ids of one millisecond in another order. */
const CLOCK = systemClock()

/** A bus whose clock is ahead, so that what happened just now is old enough to be swept. */
function busAt(home: Home, aheadMs = 120_000): Bus {
  const now = () => Date.now() + aheadMs
  return { home, clock: { now, micros: () => now() * 1000 }, processes: systemProcesses() }
}

function freshHome(): Home {
  const home = tempHome('backend', 'frontend')
  chmodSync(home.sessions, 0o600)
  return home
}

async function statesOf(home: Home, mend = true, aheadMs?: number): Promise<string[]> {
  return (await sweepHome(busAt(home, aheadMs), { mend })).map(({ state, mended }) => {
    return `${state}${mended || !mend ? '' : ' (not mended)'}`
  })
}

/** Looks, mends, and looks again: what is reported is what is mended, and then nothing is left. */
async function mended(home: Home): Promise<string[]> {
  const reported = await statesOf(home, false)
  expect(await statesOf(home)).toEqual(reported)
  expect(await statesOf(home)).toEqual([])
  return reported
}

const send = (home: Home, draft: Partial<Draft> = {}) =>
  sendMessage(
    { home, clock: CLOCK, processes: systemProcesses() },
    {
      from: 'backend',
      to: 'frontend',
      kind: 'note',
      body: 'GET /tasks answers with {id, title, done}',
      ...draft,
    },
  ).message

const chat = (home: Home, args: string[], fault?: string) =>
  runAsOwner(args, {
    home: home.root,
    ...(fault === undefined ? {} : { env: { AGENT_CHAT_FAULT: fault } }),
  })

describe('what a killed command leaves', () => {
  test.each([
    ['send:written', ['unpublished']],
    ['send:published', ['published-twice', 'undelivered']],
    ['send:indexed', ['undelivered']],
    ['send:linked', ['unrecorded', 'unrung', 'ended-task']],
    ['send:synced', ['unrecorded', 'unrung', 'ended-task']],
    ['send:recorded', ['unrung', 'ended-task']],
    ['send:rung', []],
  ])('that ends a task at %s: %j', async (step, states) => {
    const home = freshHome()
    const task = send(home, { kind: 'task' })
    expect(
      (await chat(home, ['done', task.id, 'it is done', '--as', 'frontend'], step)).signal,
    ).toBe('SIGKILL')
    expect(await mended(home)).toEqual(states)
    const sent = step !== 'send:written'
    expect(threadIds(home, task.id)).toHaveLength(sent ? 2 : 1)
    expect(openTasks(home)).toHaveLength(sent ? 0 : 1)
    expect(filesIn(home.inbox('backend'))).toHaveLength(sent ? 1 : 0)
  })

  test.each([
    ['send:published', ['published-twice', 'undelivered']],
    ['send:indexed', ['undelivered']],
    ['send:linked', ['unrecorded', 'unrung', 'ended-task']],
  ])('that ends a task at %s, before its holder was renamed: %j', async (step, states) => {
    const home = freshHome()
    const task = send(home, { kind: 'task' })
    await chat(home, ['done', task.id, 'it is done', '--as', 'frontend'], step)
    expect(await chat(home, ['rename', 'frontend', 'site'])).toMatchObject({ code: 0 })
    expect(await mended(home)).toEqual(states)
    expect(openTaskIds(home)).toEqual([])
  })

  test.each([
    ['send:published', ['published-twice', 'undelivered']],
    ['send:indexed', ['undelivered']],
    ['send:linked', ['unrecorded', 'unrung']],
  ])('that gives a task at %s: %j', async (step, states) => {
    const home = freshHome()
    send(home, { kind: 'task', from: 'frontend', to: 'backend' })
    expect(
      (await chat(home, ['task', '@frontend', 'page it', '--as', 'backend'], step)).signal,
    ).toBe('SIGKILL')
    expect(await mended(home)).toEqual(states)
    expect(taskIds(home)).toHaveLength(2)
    expect(openTasks(home).map(({ message }) => message.body)).toContain('page it')
  })

  test.each([
    ['send:written', ['unpublished', 'unused-number']],
    ['send:published', ['published-twice', 'undelivered']],
    ['send:indexed', ['undelivered']],
    ['send:linked', ['unrecorded', 'unrung']],
  ])('that asks for a decision at %s: %j', async (step, states) => {
    const home = freshHome()
    expect((await chat(home, ['escalate', 'which?', '--as', 'backend'], step)).signal).toBe(
      'SIGKILL',
    )
    expect(await mended(home)).toEqual(states)
    const [file] = filesIn(home.inbox('human'))
    expect(escalationId(home, 1)).toBe(file?.slice(0, -3))
    expect(nextEscalation(home).number).toBe(file === undefined ? 1 : 2)
  })

  test('that makes indexes: a directory beside theirs, and what it was to send', async () => {
    const home = freshHome()
    const root = send(home)
    const run = await chat(
      home,
      ['send', '@backend', 'x', '--as', 'frontend', '--reply-to', root.id],
      'index:built',
    )
    expect(run.signal).toBe('SIGKILL')
    expect(await mended(home)).toEqual(['leftover', 'undelivered'])
    expect(threadIds(home, root.id)).toHaveLength(2)
  })

  test.each([
    ['ask:locked', ['stale-lock']],
    ['ask:noted', ['stale-ask']],
  ])('that asks, at %s: %j', async (step, states) => {
    const home = freshHome()
    expect((await chat(home, ['ask', '@frontend', 'why?', '--as', 'backend'], step)).signal).toBe(
      'SIGKILL',
    )
    expect(await mended(home)).toEqual(states)
    expect(filesIn(home.asks)).toEqual([])
  })

  test('that waited for an answer: the answer rings', async () => {
    const home = freshHome()
    const question = send(home, { kind: 'question', from: 'frontend', to: 'backend' })
    const { ref, end } = startAgent(busAt(home))
    beginAsk(busAt(home), 'frontend', 'backend', null)
    noteAsk({ home }, { waiter: ref, from: 'frontend', to: 'backend', id: question.id })
    rmSync(home.ask(process.pid))
    send(home, {
      inReplyTo: question,
      silent: { ring: 'awaited', why: 'it is waited for', waiter: ref },
    })
    rmSync(home.bell('backend'), { recursive: true })
    send(home, { from: 'frontend', to: 'backend' })
    expect(await statesOf(home)).toEqual([])
    expect(existsSync(home.ring('frontend'))).toBe(false)
    await end()
    expect(await mended(home)).toEqual(['stale-ask', 'unawaited'])
    expect(existsSync(home.ring('frontend'))).toBe(true)
    expect(marksOf(home, 'frontend')).toEqual({})
  })

  test('that waited for an answer which was published and never delivered: it is delivered, and rings', async () => {
    const home = freshHome()
    const { ref, end } = startAgent(busAt(home))
    const answer = send(home, { silent: { ring: 'awaited', why: 'it is waited for', waiter: ref } })
    rmSync(home.unread('frontend', answer.id))
    rmSync(home.history)
    await end()
    expect(await statesOf(home)).toEqual(['undelivered'])
    expect(await statesOf(home)).toEqual([])
    expect(existsSync(home.ring('frontend'))).toBe(true)
    expect(filesIn(home.inbox('frontend'))).toEqual([`${answer.id}.md`])
  })
})

describe('what a power cut takes away', () => {
  test('lines of a conversation, or the whole of its file', async () => {
    const home = freshHome()
    const root = send(home)
    const answers = [1, 2, 3].map(() => send(home, { inReplyTo: root }).id)
    const other = send(home)
    send(home, { inReplyTo: other })
    rmSync(home.thread(other.id))
    writeFileSync(home.thread(root.id), `${answers[1]}\n\0\0\0\0`, { mode: 0o600 })
    expect(await mended(home)).toEqual(['unindexed', 'unindexed'])
    expect(threadIds(home, root.id)).toEqual([root.id, ...answers])
    expect(threadIds(home, other.id)).toHaveLength(2)
  })

  test('tasks and their marks; what has ended needs none', async () => {
    const home = freshHome()
    const tasks = [1, 2, 3, 4].map(() => send(home, { kind: 'task' }))
    const [open, plain, declined, gone] = tasks as [Message, Message, Message, Message]
    send(home, { from: 'frontend', to: 'backend', kind: 'result', inReplyTo: plain })
    const word = { task_state: 'declined' }
    send(home, { from: 'frontend', to: 'backend', kind: 'reply', inReplyTo: declined, extra: word })
    rmSync(home.openTasks, { recursive: true })
    writeFileSync(home.allTasks, `${declined.id}\n`, { mode: 0o600 })
    rmSync(home.message(gone.id))
    rmSync(home.unread('frontend', gone.id))
    expect(await mended(home)).toEqual(['unindexed', 'unmarked-task'])
    expect(taskIds(home)).toEqual(tasks.map(({ id }) => id))
    expect(openTaskIds(home)).toEqual([open.id])
  })

  test('the end of a history and of a list at once', async () => {
    const home = freshHome()
    const root = send(home)
    const history = readFileSync(home.history)
    const answer = send(home, { inReplyTo: root, kind: 'task' })
    writeFileSync(home.history, history)
    for (const path of [home.thread(root.id), home.allTasks, home.openTask(answer.id)]) rmSync(path)
    expect(await mended(home)).toEqual(['unrecorded', 'unindexed', 'unindexed', 'unmarked-task'])
    expect(threadIds(home, root.id)).toEqual([root.id, answer.id])
    expect(openTaskIds(home)).toEqual([answer.id])
  })

  test('the file of a number, or what stands in it', async () => {
    const home = freshHome()
    const ask = () => {
      const { number } = nextEscalation(home)
      const extra = escalationFields(number, ['yes', 'no'])
      return send(home, { to: 'human', kind: 'question', extra }).id
    }
    const ids = [ask(), ask(), ask()]
    send(home, { to: 'human', kind: 'question' })
    rmSync(home.escalation(3))
    writeFileSync(home.escalation(2), '', { mode: 0o600 })
    expect(await mended(home)).toEqual(['unnumbered', 'unnumbered'])
    expect([1, 2, 3].map((number) => escalationId(home, number))).toEqual(ids)
    // The whole directory, too: else the numbers would be given again.
    rmSync(home.escalations, { recursive: true })
    expect(await mended(home)).toEqual(['unnumbered', 'unnumbered', 'unnumbered'])
    expect(nextEscalation(home).number).toBe(4)
  })

  test('of two decisions that say they have one number, the one that has it keeps it', async () => {
    const home = freshHome()
    const [first] = [1, 2].map(() =>
      send(home, { to: 'human', kind: 'question', extra: escalationFields(1, []) }),
    )
    expect(await mended(home)).toEqual([])
    rmSync(home.escalation(1))
    expect(await mended(home)).toEqual(['unnumbered'])
    expect(escalationId(home, 1)).toBe(first?.id)
  })
})

describe('what hands do', () => {
  test('lists that name what was never sent, or half a line', async () => {
    const home = freshHome()
    const root = send(home)
    const answer = send(home, { inReplyTo: root, kind: 'task' })
    const never = formatId(Date.now() * 1000, 'backend')
    appendFileSync(home.thread(root.id), `${never}\n20261121T0339`)
    appendFileSync(home.allTasks, `${never}\n`)
    expect(await mended(home)).toEqual(['never-sent', 'never-sent'])
    expect(threadIds(home, root.id)).toEqual([root.id, answer.id])
    expect(taskIds(home)).toEqual([answer.id])
  })

  test('messages that were cleared away stay in their conversation, as missing, also where the history was cut', async () => {
    const home = freshHome()
    const root = send(home)
    const answer = send(home, { inReplyTo: root })
    for (const id of [root.id, answer.id]) {
      rmSync(home.message(id))
      rmSync(home.unread('frontend', id))
    }
    expect(await mended(home)).toEqual([])
    writeFileSync(
      home.history,
      `{"at":"${new Date(Date.now() + 7_200_000).toISOString()}","event":"joined"}\n`,
      {
        mode: 0o600,
      },
    )
    expect(await statesOf(home, true, 9_000_000)).toEqual([])
    expect(threadIds(home, root.id)).toEqual([root.id, answer.id])
  })

  test('marks of tasks that have ended or are none', async () => {
    const home = freshHome()
    const task = send(home, { kind: 'task' })
    for (const id of [send(home).id, 'x']) writeFileSync(home.openTask(id), '', { mode: 0o600 })
    expect(await mended(home)).toEqual(['ended-task', 'ended-task'])
    expect(openTaskIds(home)).toEqual([task.id])
  })

  test('leftovers of processes that are gone, in every new place', async () => {
    const home = freshHome()
    for (const path of [home.asks, home.escalations]) mkdirSync(path, { mode: 0o700 })
    const files = [
      `${home.ask(NOBODY)}.${NOBODY}.tmp`,
      `${home.escalation(1)}.${NOBODY}.tmp`,
      `${home.asksLock}.${NOBODY}.stale`,
    ]
    for (const path of files) writeFileSync(path, 'x', { mode: 0o600 })
    const directories = [`${home.threads}.${NOBODY}.tmp`, `${home.tasks}.${NOBODY}.tmp`]
    for (const path of directories) {
      mkdirSync(path, { mode: 0o700 })
      writeFileSync(join(path, 'x'), '', { mode: 0o600 })
    }
    const dead = JSON.stringify({ pid: NOBODY, started: 'x' })
    writeFileSync(home.asksLock, dead, { mode: 0o600 })
    writeFileSync(home.ask(NOBODY), `{"waiter":${dead},"from":"a","to":"b","id":null}`, {
      mode: 0o600,
    })
    expect((await mended(home)).sort()).toEqual([
      ...Array(5).fill('leftover'),
      'stale-ask',
      'stale-lock',
    ])
    expect([...files, ...directories].some((path) => existsSync(path))).toBe(false)
  })

  test('a directory that only looks like a leftover is its owner’s', async () => {
    const home = freshHome()
    const mine = [join(home.root, `notes.${NOBODY}.tmp`), join(home.root, 'threads.tmp')]
    for (const path of mine) mkdirSync(path, { mode: 0o700 })
    expect(await statesOf(home)).toEqual([])
    expect(mine.every((path) => existsSync(path))).toBe(true)
  })

  test('what others may read of it is closed to them', async () => {
    const home = freshHome()
    const root = send(home)
    const task = send(home, { inReplyTo: root, kind: 'task' })
    nextEscalation(home)
    beginAsk(busAt(home), 'frontend', 'backend', null)
    const files = [
      home.thread(root.id),
      home.allTasks,
      home.openTask(task.id),
      home.escalation(1),
      home.ask(process.pid),
    ]
    const directories = [home.threads, home.tasks, home.openTasks, home.escalations, home.asks]
    for (const path of files) chmodSync(path, 0o644)
    for (const path of directories) chmodSync(path, 0o755)
    expect(await statesOf(home, true, 0)).toEqual(['wrong-mode'])
    expect(files.map((path) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o600))
    expect(directories.map((path) => statSync(path).mode & 0o777)).toEqual(
      directories.map(() => 0o700),
    )
  })
})

describe('what is as it should be is left alone', () => {
  test('a home in which all of it was used', async () => {
    const home = freshHome()
    const run = async (...args: string[]) => {
      const { code, stdout } = await chat(home, [...args, '--json'])
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    const { id } = await run('task', '@frontend', 'page the list', '--as', 'backend')
    await run('accept', id, '--as', 'frontend')
    await run('done', id, 'it pages', '--as', 'frontend')
    const second = await run('task', '@frontend', 'sort the list', '--as', 'backend')
    await run('decline', second.id, '-m', 'no', '--as', 'frontend')
    await run('task', '@frontend', 'an open one', '--as', 'backend')
    await run('escalate', 'which?', '--option', 'a', '--option', 'b', '--as', 'backend')
    await run('reply', '1', '2', '--as', 'human')
    await run('inbox', 'backend')
    expect(await statesOf(home, false)).toEqual([])
    expect(eventsOf(home, 'sent')).toHaveLength(8)
  })

  test('a home from before any of it', async () => {
    const home = freshHome()
    const root = send(home)
    send(home, { inReplyTo: root, kind: 'task' })
    for (const path of [home.threads, home.tasks]) rmSync(path, { recursive: true })
    expect(await statesOf(home)).toEqual([])
    expect(existsSync(home.threads) || existsSync(home.tasks)).toBe(false)
  })

  test('what somebody is at: younger than a minute, or of a process that lives', async () => {
    const home = freshHome()
    const root = send(home)
    const task = send(home, { inReplyTo: root, kind: 'task' })
    const number = nextEscalation(home)
    rmSync(home.openTask(task.id))
    appendFileSync(home.thread(root.id), `${formatId(Date.now() * 1000, 'backend')}\n`)
    beginAsk(busAt(home), 'frontend', 'backend', null)
    const making = `${home.threads}.${process.pid}.tmp`
    mkdirSync(making, { mode: 0o700 })
    utimesSync(making, 0, 0)
    expect(await statesOf(home, true, 0)).toEqual([])
    expect(existsSync(making)).toBe(true)
    expect(existsSync(home.escalation(number.number))).toBe(true)
    expect(await statesOf(home)).toEqual(['never-sent', 'unmarked-task', 'unused-number'])
    expect(existsSync(making)).toBe(true)
    expect(filesIn(home.asks)).toEqual([`${process.pid}.json`])
  })
})
