import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openTasks } from '../../bus/index/tasks.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { post } from '../../chat/post.ts'
import type { Message } from '../../message/message.ts'
import { takeWords } from '../../session/words.ts'
import { systemTmux } from '../../system/tmux.ts'
import { ROOT } from '../../testing/cli.ts'
import { fixedClock } from '../../testing/clock.ts'
import { eventsOf, tempBus } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'
import { isScheduledTask } from './given.ts'
import { runSchedules } from './run.ts'
import { addSchedule, listSchedules, removeSchedule, runSchedule } from './schedule.ts'
import { readSchedules } from './schedules.ts'

const DEFINITION = '# R\n## Description\nx\n## Allowed Tools\n- read\n## System Prompt\nx\n'
const START = '2026-11-23T06:30:00.000Z'

/** A home with the agent `researcher`, by a clock that stands still; every hour is a whole one. */
function world(front = '') {
  const clock = fixedClock(START)
  const bus = tempBus(['researcher'], clock)
  mkdirSync(bus.home.agents)
  const define = (text: string) => writeFileSync(bus.home.agentFile('researcher'), text)
  define(front + DEFINITION)
  const ports = {
    bus: () => bus,
    env: {},
    cwd: '/',
    self: { node: process.execPath, script: `${ROOT}/dist/main.js`, root: ROOT },
    notice: () => {},
    tmux: systemTmux(() => ''),
    typed: 'terminal' as const,
  }
  const tick = (minutes: number) => {
    clock.set(clock.now() + minutes * 60_000)
    return runSchedules(ports)
  }
  const tasks = () => openTasks(bus.home).map(({ message }) => message)
  const answer = (answered: Message, body: string, word: 'done' | 'failed' = 'done') =>
    post(
      {
        from: 'researcher',
        to: 'human',
        kind: 'result',
        body,
        answered,
        extra: { task_state: word },
      },
      ports,
    )
  const states = () => listSchedules(ports).map(({ id, state }) => `${id} ${state}`)
  const schedule = (cron = '0 * * * *', text = 'digest') =>
    addSchedule({ worker: '@researcher', cron, text }, ports)
  return { bus, clock, ports, define, tick, tasks, answer, states, schedule }
}

describe('a schedule', () => {
  test('gives its worker a task when it is due: the human’s, that names the schedule', async () => {
    const { bus, tick, tasks, states, schedule } = world()
    expect(schedule()).toMatchObject({ id: 'researcher.1', state: 'scheduled' })
    expect(await tick(29)).toEqual({ ran: [], nextDue: Date.parse('2026-11-23T07:00:00Z') })
    expect(tasks()).toEqual([])
    const { ran, nextDue } = await tick(1)
    expect(nextDue).toBe(Date.parse('2026-11-23T08:00:00Z'))
    expect(tasks()).toMatchObject([
      {
        ...{ id: ran[0]?.task, from: 'human', to: 'researcher', kind: 'task', body: 'digest' },
        extra: { schedule: 'researcher.1', schedule_due: '2026-11-23T07:00:00.000Z' },
      },
    ])
    expect(states()).toEqual(['researcher.1 running'])
    // It opens one turn, as what the human types does.
    const [task] = tasks() as [Message]
    expect(isScheduledTask(bus, task)).toBe(true)
    for (const other of [
      { ...task, from: 'backend' },
      { ...task, body: 'rm -rf' },
      { ...task, to: 'backend' },
      { ...task, extra: { ...task.extra, schedule_due: START } },
      { ...task, extra: { ...task.extra, schedule: 'researcher.2' } },
      { ...task, extra: {} },
    ])
      expect(isScheduledTask(bus, other)).toBe(false)
    expect(takeWords(bus, 'researcher')).toBe(true)
    expect((await tick(0)).ran).toEqual([])
  })

  test('ends as its task does, with what that came to', async () => {
    const { ports, tick, tasks, answer, schedule } = world()
    schedule()
    for (const [word, body] of [
      ['done', 'three things happened'],
      ['failed', 'no network'],
    ] as const) {
      await tick(60)
      await answer(tasks()[0] as Message, body, word)
    }
    expect(listSchedules(ports)).toMatchObject([
      {
        state: 'failed',
        runs: [
          { state: 'failed', output: 'no network' },
          { state: 'completed', output: 'three things happened', result: expect.any(String) },
        ],
      },
    ])
    // Written down at the next look, whatever becomes of the messages.
    await tick(1)
    expect(readSchedules(ports.bus().home)['researcher.1']?.runs).toMatchObject([
      { state: 'failed' },
      { state: 'completed' },
    ])
  })

  test('is not run again while its last run goes on', async () => {
    const { bus, tick, tasks, answer, schedule } = world()
    schedule()
    await tick(60)
    await tick(60)
    await tick(60)
    expect(tasks()).toHaveLength(1)
    expect(eventsOf(bus.home, 'schedule-skipped')).toMatchObject([
      { id: 'researcher.1', due: '2026-11-23T08:00:00.000Z' },
      { id: 'researcher.1', due: '2026-11-23T09:00:00.000Z' },
    ])
    const [task] = tasks() as [Message]
    await answer(task, 'done')
    // What was passed over is not made up for.
    expect((await tick(5)).ran).toEqual([])
    expect((await tick(55)).ran).toMatchObject([{ due: '2026-11-23T10:00:00.000Z' }])
  })

  test('that was missed for days is made up for once', async () => {
    const { tick, tasks, schedule } = world()
    schedule('*/15 * * * *')
    expect((await tick(3 * 24 * 60 + 7)).ran).toMatchObject([{ due: '2026-11-26T06:30:00.000Z' }])
    expect(tasks()).toHaveLength(1)
  })

  test('of a night is made up for in the morning, once, and told where it is too late', async () => {
    const { bus, clock, ports, tick, tasks, states, schedule } = world()
    schedule('0 3 * * *')
    const day = (from: string, hour: number) => new Date(`${from}T00:00:00`).setHours(hour)
    clock.set(day('2026-11-24', 9))
    expect((await runSchedules(ports)).ran).toHaveLength(1)
    expect((await tick(1)).ran).toEqual([])
    expect(tasks()).toHaveLength(1)
    expect(unreadIds(bus.home, 'human')).toEqual([])
    await schedule('0 4 * * *')
    clock.set(day('2026-11-25', 20))
    expect((await runSchedules(ports)).ran).toEqual([])
    expect(states()).toContain('researcher.2 failed')
    const [lost, ...others] = eventsOf(bus.home, 'schedule-missed')
    expect(others).toEqual([])
    expect(lost).toMatchObject({
      id: 'researcher.2',
      why: expect.stringContaining('its next run is at 2026-11-26'),
    })
    expect(unreadIds(bus.home, 'human')).toHaveLength(1)
    expect((await tick(1)).ran).toEqual([])
    expect(unreadIds(bus.home, 'human')).toHaveLength(1)
  })

  test('two that look at once give one task', async () => {
    const { tick, tasks, schedule } = world()
    schedule()
    const [one, two] = await Promise.all([tick(60), tick(0)])
    expect([...one.ran, ...two.ran]).toHaveLength(1)
    expect(tasks()).toHaveLength(1)
  })

  test('whose task could not be sent is tried again a minute later', async () => {
    const { bus, tick, tasks, schedule } = world()
    schedule()
    renameSync(bus.home.messages, `${bus.home.messages}.kept`)
    writeFileSync(bus.home.messages, 'not a directory')
    await expect(tick(30)).rejects.toMatchObject({ code: 'HOME_UNUSABLE' })
    rmSync(bus.home.messages)
    renameSync(`${bus.home.messages}.kept`, bus.home.messages)
    expect((await tick(1)).ran).toEqual([])
    expect((await tick(1)).ran).toMatchObject([{ due: '2026-11-23T07:00:00.000Z' }])
    expect(tasks()).toHaveLength(1)
  })

  test('whose worker cannot run fails, and the human is told once', async () => {
    const { bus, tick, tasks, define, states, schedule } = world()
    schedule()
    define('# R\n')
    for (const _ of [1, 2, 3]) await tick(60)
    expect(tasks()).toEqual([])
    expect(states()).toEqual(['researcher.1 failed'])
    expect(unreadIds(bus.home, 'human')).toHaveLength(1)
    expect(eventsOf(bus.home, 'schedule-failed')).toHaveLength(3)
    define(DEFINITION)
    expect((await tick(60)).ran).toMatchObject([{ state: 'running' }])
  })

  test('is run at once on demand, but not twice; and removed', async () => {
    const { ports, tasks, tick, answer, schedule } = world()
    const { id } = schedule('0 7 1 1 *')
    expect(await runSchedule(id, ports)).toMatchObject({ state: 'running', due: START })
    await expect(runSchedule(id, ports)).rejects.toMatchObject({ code: 'LOCKED' })
    await answer(tasks()[0] as Message, 'done')
    expect(await runSchedule(id, ports)).toMatchObject({ state: 'running' })
    removeSchedule(id, ports)
    expect(listSchedules(ports)).toEqual([])
    await expect(runSchedule(id, ports)).rejects.toMatchObject({ code: 'SCHEDULE_UNKNOWN' })
    expect((await tick(60 * 24 * 50)).ran).toEqual([])
  })

  test.each([
    ['61 * * * *', 'digest', 'USAGE'],
    ['0 7 * * *', ' ', 'BODY_EMPTY'],
  ])('%j %j is refused', (cron, text, code) => {
    const { schedule, ports } = world()
    expect(() => schedule(cron, text)).toThrow(expect.objectContaining({ code }))
    expect(() => addSchedule({ worker: 'nobody', cron: '@daily', text: 'x' }, ports)).toThrow(
      expect.objectContaining({ code: 'AGENT_UNKNOWN' }),
    )
    expect(listSchedules(ports)).toEqual([])
  })
})

describe('a schedule in a definition', () => {
  const FRONT = '---\nschedule: "0 * * * *"\nprompt: look\n---\n'

  test('runs from when it was seen first, and anew when it was changed', async () => {
    const { tick, define, states, tasks } = world(FRONT)
    // What was due before anybody saw it is not made up for.
    expect((await tick(40)).ran).toEqual([])
    expect(states()).toEqual(['researcher scheduled'])
    define(FRONT.replace('look', 'look again') + DEFINITION)
    expect((await tick(10)).ran).toEqual([])
    expect((await tick(40)).ran).toMatchObject([{ due: '2026-11-23T08:00:00.000Z' }])
    expect(tasks()[0]?.body).toBe('look again')
  })

  test('goes with it, and cannot be removed otherwise', async () => {
    const { ports, tick, define, states } = world(FRONT)
    await tick(1)
    expect(() => removeSchedule('researcher', ports)).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    )
    define(DEFINITION)
    expect(states()).toEqual([])
    expect(await tick(60)).toEqual({ ran: [] })
  })
})

describe('a process that is killed while it gives a task', () => {
  const STEPS = ['written', 'published', 'indexed', 'linked', 'synced', 'recorded', 'rung']
  test.each(STEPS)(
    'at send:%s: the next look sees that there is one, and one only',
    async (step) => {
      const { bus, clock, ports, tasks, states, tick, schedule } = world()
      clock.set(Date.now())
      schedule('0 7 1 1 *')
      const run = await runAsOwner(['schedule', 'run', 'researcher.1'], {
        home: bus.home.root,
        env: { AGENT_CHAT_FAULT: `send:${step}` },
      })
      expect(run.signal).toBe('SIGKILL')
      clock.set(Date.now())
      expect((await runSchedules(ports)).ran).toMatchObject([{ state: 'running' }])
      expect((await tick(1)).ran).toEqual([])
      expect(tasks()).toHaveLength(1)
      expect(unreadIds(bus.home, 'researcher')).toEqual(tasks().map(({ id }) => id))
      expect(states()).toEqual(['researcher.1 running'])
      expect(takeWords(bus, 'researcher')).toBe(true)
    },
  )

  test('more than an hour ago, before it gave it: the run was missed', async () => {
    const { bus, clock, states, tick, tasks, schedule } = world()
    clock.set(Date.now())
    schedule('0 7 1 1 *')
    const env = { AGENT_CHAT_FAULT: 'send:written' }
    await runAsOwner(['schedule', 'run', 'researcher.1'], { home: bus.home.root, env })
    expect((await tick(61)).ran).toMatchObject([
      { state: 'failed', output: 'missed: nothing ran it within an hour' },
    ])
    expect(tasks()).toEqual([])
    expect(states()).toEqual(['researcher.1 failed'])
  })
})
