import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { outcome, runCli, startCli } from '../../testing/cli.ts'
import { filesIn, tempBus, tempDirectory, tempHome } from '../../testing/home.ts'
import { longId } from '../../testing/longId.ts'
import { someMessage } from '../../testing/message.ts'
import { until } from '../../testing/until.ts'
import { record, sentFields } from '../history.ts'
import { type Home, homeAt } from '../home.ts'
import { sendMessage } from '../mail/send.ts'
import { noteInIndexes, openTaskIds, taskIds, threadIds } from './indexes.ts'
import { readThread } from './threads.ts'

const id = (at: number, from = 'backend') => formatId(1_795_232_352_000_000 + at, from)
const ROOT = id(0)
const part = (at: number, fields: Partial<Message> = {}) =>
  someMessage({ id: id(at), thread: ROOT, ...fields })
const task = (at: number, fields: Partial<Message> = {}) =>
  someMessage({ id: id(at), kind: 'task', ...fields })

/**
 * A home from before there were indexes: its history tells of these messages, which were never
 * filed.
 */
function olderHome(...messages: Message[]): Home {
  const bus = tempBus(['backend', 'frontend'])
  for (const message of messages) record(bus, 'sent', sentFields(message))
  return bus.home
}

/** A conversation of an older home, whose first message is there to be answered. */
async function olderConversation(): Promise<{ home: Home; root: string; older: string }> {
  const bus = tempBus(['backend', 'frontend'])
  const root = sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'note',
    body: 'one',
  }).message
  const draft = { from: 'backend', to: 'frontend', kind: 'note', body: 'two', inReplyTo: root }
  const older = sendMessage(bus, draft).message.id
  rmSync(bus.home.threads, { recursive: true })
  return { home: bus.home, root: root.id, older }
}

const reply = (home: Home, to: string, body: string, fault?: string) =>
  startCli(['reply', to, body, '--as', 'frontend'], {
    home: home.root,
    ...(fault === undefined ? {} : { env: { AGENT_CHAT_FAULT: fault } }),
  })

const tempNames = (home: Home) => readdirSync(home.root).filter((name) => name.endsWith('.tmp'))

describe('a conversation', () => {
  test('begins with its first message, and goes on in the order of ids, each once', () => {
    const home = tempHome()
    const ids = [5, 3, 4, 3, 5].map((at) => part(at))
    for (const message of ids) noteInIndexes(home, message)
    expect(threadIds(home, ROOT)).toEqual([ROOT, id(3), id(4), id(5)])
    // A first message with a name of its own, or of a clock that was set back, is still the first.
    noteInIndexes(home, part(6, { thread: 'note-by-hand' }))
    expect(threadIds(home, 'note-by-hand')).toEqual(['note-by-hand', id(6)])
    noteInIndexes(home, part(7, { thread: id(9) }))
    expect(threadIds(home, id(9))).toEqual([id(9), id(7)])
  })

  test('of one message needs no index', () => {
    const home = tempHome()
    noteInIndexes(home, someMessage({ id: ROOT }))
    expect(threadIds(home, ROOT)).toEqual([ROOT])
    expect(existsSync(home.threads)).toBe(false)
  })

  test('passes over what is no id, and over what was struck off and not added again', () => {
    const home = tempHome()
    noteInIndexes(home, part(1))
    appendFileSync(
      home.thread(ROOT),
      `\0\0\0\n../x\n\n${id(2)}\n-${id(1)}\n-${id(3)}\n${id(3)}\n${id(4).slice(0, 9)} x`,
    )
    noteInIndexes(home, part(5))
    expect(threadIds(home, ROOT)).toEqual([ROOT, id(2), id(3), id(5)])
  })

  test('is listed for this user alone', () => {
    const home = tempHome()
    noteInIndexes(home, task(1, { thread: ROOT }))
    const modes = [
      home.threads,
      home.thread(ROOT),
      home.tasks,
      home.allTasks,
      home.openTasks,
      home.openTask(id(1)),
    ]
    expect(modes.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '700',
      '600',
      '700',
      '600',
      '700',
      '600',
    ])
  })
})

describe('tasks', () => {
  test('are listed oldest first, each once, and marked as open', () => {
    const home = tempHome()
    for (const at of [2, 1, 2]) noteInIndexes(home, task(at))
    noteInIndexes(home, someMessage({ id: id(3) }))
    expect(taskIds(home)).toEqual([id(1), id(2)])
    expect(openTaskIds(home)).toEqual([id(1), id(2)])
  })
})

describe('a home from before there were indexes', () => {
  test('has its conversations from its history', () => {
    const home = olderHome(
      someMessage({ id: ROOT }),
      part(2),
      part(1),
      part(2),
      part(3, { thread: id(9) }),
    )
    appendFileSync(home.history, '{"at":"2026-11-21T03:39:12.123Z","event":"sent","id":"x","fr\n')
    appendFileSync(
      home.history,
      '{"at":"x","event":"sent","id":"../y","from":"a","to":"b","preview":"","thread":"../z"}\n',
    )
    appendFileSync(
      home.history,
      '{"at":"x","event":"sent","id":"y","from":"a","to":"b","preview":""}\n',
    )
    expect(threadIds(home, ROOT)).toEqual([ROOT, id(1), id(2)])
    expect(threadIds(home, id(9))).toEqual([id(9), id(3)])
    expect(filesIn(home.threads)).toEqual([ROOT, id(9)])
    expect(tempNames(home)).toEqual([])
  })

  test('has its tasks; those that were answered with a result by the one who had them are not open', () => {
    const result = (at: number, to: number, from = 'frontend') =>
      someMessage({
        id: id(at, from),
        from,
        to: 'backend',
        kind: 'result',
        thread: id(to),
        inReplyTo: id(to),
      })
    const home = olderHome(task(1), task(2), task(3), result(4, 2), result(5, 3, 'docs'))
    expect(taskIds(home)).toEqual([id(1), id(2), id(3)])
    expect(openTaskIds(home)).toEqual([id(1), id(3)])
  })

  test('has them too when the first to need them is a message that is sent', () => {
    const home = olderHome(part(1), task(2))
    noteInIndexes(home, task(4, { thread: ROOT }))
    expect(threadIds(home, ROOT)).toEqual([ROOT, id(1), id(4)])
    expect(taskIds(home)).toEqual([id(2), id(4)])
    expect(openTaskIds(home)).toEqual([id(2), id(4)])
  })

  test('makes them once: what the history tells later is not looked for', () => {
    const home = olderHome(part(1))
    threadIds(home, ROOT)
    rmSync(home.history)
    expect(threadIds(home, ROOT)).toEqual([ROOT, id(1)])
  })
})

describe('indexes that somebody removed', () => {
  test('are made again, by a reader or a sender', () => {
    const home = olderHome(part(1), task(2))
    for (const work of [() => threadIds(home, ROOT), () => noteInIndexes(home, part(3))]) {
      rmSync(home.threads, { recursive: true, force: true })
      work()
      expect(threadIds(home, ROOT)).toContain(id(1))
    }
    expect(threadIds(home, ROOT)).toEqual([ROOT, id(1), id(3)])
    taskIds(home)
    rmSync(home.openTasks, { recursive: true })
    expect(openTaskIds(home)).toEqual([])
    noteInIndexes(home, task(4))
    expect(openTaskIds(home)).toEqual([id(4)])
  })

  test('an empty directory in their place is as good as one that was made', () => {
    const home = olderHome()
    mkdirSync(home.threads, { mode: 0o700 })
    noteInIndexes(home, part(1))
    expect(threadIds(home, ROOT)).toEqual([ROOT, id(1)])
  })
})

describe('who only reads', () => {
  test('makes nothing where there is no home', () => {
    const home = homeAt(join(tempDirectory(), 'none'))
    expect([threadIds(home, ROOT), taskIds(home), openTaskIds(home)]).toEqual([[ROOT], [], []])
    expect(existsSync(home.root)).toBe(false)
  })

  test('reads the history where nothing can be written', async () => {
    const { home, root, older } = await olderConversation()
    const isRoot = process.getuid?.() === 0
    const uid = 65534
    if (isRoot) spawnSync('chown', ['-R', String(uid), join(home.root, '..')])
    chmodSync(home.root, 0o500)
    const run = await runCli(['thread', root, '--json'], {
      home: home.root,
      ...(isRoot ? { uid } : {}),
    })
    chmodSync(home.root, 0o700)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout).messages.map((message: Message) => message.id)).toEqual([
      root,
      older,
    ])
    expect(existsSync(home.threads)).toBe(false)
  })
})

describe('processes at once', () => {
  test('one that was slow to make the indexes loses nothing of what others have listed meanwhile', async () => {
    const { home, root, older } = await olderConversation()
    const slow = reply(home, root, 'slow', 'index:built:stop')
    const slowEnd = outcome(slow)
    await until('its index is written, and not in place', () => tempNames(home).length === 1)
    const quick = await outcome(reply(home, root, 'quick'))
    expect(readThread(home, root).messages.map(({ body }) => body)).toContain('quick')
    // It may not have stopped yet.
    await until('the slow one to end', () => slow.exitCode !== null || !slow.kill('SIGCONT'))
    const end = await slowEnd
    expect([quick.code, end.code]).toEqual([0, 0])
    const ids = [longId(home, end.stdout), longId(home, quick.stdout)]
    expect(threadIds(home, root)).toEqual([root, older, ...ids])
    expect(tempNames(home)).toEqual([])
  })

  test('eight that answer at once in an older home are all listed, beside what is older', async () => {
    const { home, root, older } = await olderConversation()
    const bodies = Array.from({ length: 8 }, (_, at) => `answer ${at}`)
    const runs = await Promise.all(bodies.map((body) => outcome(reply(home, root, body))))
    expect(runs.map(({ code }) => code)).toEqual(bodies.map(() => 0))
    expect(threadIds(home, root)).toEqual([
      root,
      older,
      ...runs.map(({ stdout }) => longId(home, stdout)).sort(),
    ])
    expect(readThread(home, root).missing).toEqual([])
    expect(tempNames(home)).toEqual([])
  })
})

test('a message whose delivery fails is struck off again: no conversation lacks it, and it is no task', () => {
  const bus = tempBus(['backend', 'frontend'])
  const { home } = bus
  const root = sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'note',
    body: 'one',
  }).message
  rmSync(home.inbox('frontend'), { recursive: true })
  writeFileSync(home.inbox('frontend'), '')
  const draft = { from: 'backend', to: 'frontend', kind: 'task', body: 'two', inReplyTo: root }
  expect(() => sendMessage(bus, draft)).toThrow('ENOTDIR')
  expect(filesIn(home.messages)).toEqual([`${root.id}.md`])
  expect(readThread(home, root.id)).toMatchObject({ messages: [{ body: 'one' }], missing: [] })
  expect([taskIds(home), openTaskIds(home)]).toEqual([[], []])
})
