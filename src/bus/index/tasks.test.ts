import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../message/message.ts'
import { filesIn, tempBus } from '../../testing/home.ts'
import type { Bus } from '../bus.ts'
import type { Draft } from '../mail/draft.ts'
import { sendMessage } from '../mail/send.ts'
import { openTaskIds } from './indexes.ts'
import { allTasks, openTasks, readTask } from './tasks.ts'

const bus = () => tempBus(['backend', 'frontend'])

const give = (bus: Bus, body: string, more: Partial<Draft> = {}) =>
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'task', body, ...more }).message

const tell = (bus: Bus, task: Message, word: string, more: Partial<Draft> = {}) =>
  sendMessage(bus, {
    from: 'frontend',
    to: 'backend',
    kind: word === 'accepted' ? 'note' : 'result',
    body: word,
    inReplyTo: task,
    extra: { task_state: word },
    ...more,
  }).message

const told = (tasks: ReturnType<typeof allTasks>) =>
  tasks.map(({ message, state }) => `${message.body} ${state}`)

describe('tasks', () => {
  test('stand as their conversations tell, oldest first', () => {
    const here = bus()
    const [one, two, three] = ['one', 'two', 'three'].map((body) => give(here, body)) as [
      Message,
      Message,
      Message,
    ]
    give(here, 'four')
    tell(here, one, 'accepted')
    const done = tell(here, two, 'done')
    tell(here, three, 'declined', { kind: 'reply' })
    expect(told(allTasks(here.home))).toEqual([
      'one accepted',
      'two done',
      'three declined',
      'four sent',
    ])
    expect(told(openTasks(here.home))).toEqual(['one accepted', 'four sent'])
    expect(readTask(here.home, two.id)?.result?.id).toBe(done.id)
  })

  test('in the middle of a conversation have a state of their own', () => {
    const here = bus()
    const root = give(here, 'one')
    const second = give(here, 'two', { inReplyTo: root })
    tell(here, second, 'done')
    expect(told(allTasks(here.home))).toEqual(['one sent', 'two done'])
  })

  test('are nothing else: another kind, a message that is gone, a name that is none', () => {
    const here = bus()
    const note = give(here, 'x', { kind: 'note' })
    for (const id of [note.id, 'none', '../sessions'])
      expect(readTask(here.home, id)).toBeUndefined()
  })
})

describe('the mark of an open task', () => {
  test.each([
    ['done', { kind: 'result' }, false],
    ['failed', { kind: 'result' }, false],
    ['declined', { kind: 'reply' }, false],
    ['', { kind: 'result', extra: {} }, false],
    ['accepted', { kind: 'note' }, true],
    ['', { kind: 'reply', extra: {} }, true],
    ['done', { from: 'docs' }, true],
  ])('after %j (%j)', (word, more, marked) => {
    const here = bus()
    const task = give(here, 'one')
    expect(openTaskIds(here.home)).toEqual([task.id])
    tell(here, task, word, { body: 'x', ...more })
    expect(existsSync(here.home.openTask(task.id))).toBe(marked)
    expect(openTasks(here.home).length === 1).toBe(marked)
  })

  test('stays where only the id of what is answered is known, and goes with the next look', () => {
    const here = bus()
    const { id, thread } = give(here, 'one')
    tell(here, { id, thread } as Message, 'done')
    expect(openTaskIds(here.home)).toEqual([id])
    expect(openTasks(here.home)).toEqual([])
    expect(openTaskIds(here.home)).toEqual([])
  })

  test('goes where its message is gone, is no task, or was none', () => {
    const here = bus()
    const task = give(here, 'one')
    give(here, 'two')
    rmSync(here.home.message(task.id))
    for (const name of ['x', '.hidden', give(here, 'y', { kind: 'note' }).id])
      writeFileSync(here.home.openTask(name), '')
    mkdirSync(here.home.openTask('a-directory'))
    expect(told(openTasks(here.home))).toEqual(['two sent'])
    expect(filesIn(here.home.openTasks)).toHaveLength(1)
  })

  test('is all that a look at the open ones goes by', () => {
    const here = bus()
    const task = give(here, 'one')
    give(here, 'two')
    rmSync(here.home.openTask(task.id))
    expect(told(openTasks(here.home))).toEqual(['two sent'])
    expect(told(allTasks(here.home))).toEqual(['one sent', 'two sent'])
  })
})
