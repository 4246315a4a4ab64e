import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { register, tempBus } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'

async function world() {
  const bus = tempBus()
  const run = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
  await run('agents', 'init')
  return { bus, run }
}

const STOPPED =
  /^agent-chat: no supervisor runs now, so nothing runs schedules; start it with: agent-chat up\n$/

test('a run that goes to a session with the name of the worker says so', async () => {
  const { bus, run } = await world()
  register(bus.home, 'backend')
  await run('schedule', '@backend', '@daily', 'digest')
  const { code, stderr } = await run('schedule', 'run', 'backend.1')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      "agent-chat: @backend is a session of yours now, and gets this task; it is the worker's again after: agent-chat leave backend\n",
  })
})

describe('schedule', () => {
  test('sets up, lists, runs now, shows what came of it, removes', async () => {
    const { run } = await world()
    expect((await run('schedule')).stdout).toMatch(/^no schedules; set one up with: /)
    const made = await run('schedule', '@researcher', '0 7 * * 1-5', 'digest of', 'yesterday')
    expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(STOPPED) })
    expect(made.stdout).toMatch(/^scheduled researcher\.1, next: \d{4}-\d\d-\d\d 07:00\n$/)
    expect((await run('schedule')).stdout).toMatch(
      /^researcher\.1 +0 7 \* \* 1-5 +scheduled +\d{4}-\d\d-\d\d 07:00 +– +digest of yesterday$/m,
    )
    const begun = await run('schedule', 'run', 'researcher.1', '--json')
    expect(begun.stderr).toContain('@researcher does not run; its inbox keeps this')
    const given = JSON.parse(begun.stdout)
    expect(given).toMatchObject({ state: 'running', task: expect.stringMatching(/-from-human$/) })
    expect(await run('schedule', 'run', 'researcher.1')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the last run of researcher\.1 has not ended: it began at /),
    })
    await run('done', given.task, 'three things happened', '--as', 'researcher')
    const shown = (await run('schedule', 'show', 'researcher.1')).stdout
    expect(shown).toMatch(
      /^researcher\.1 {2}@researcher\n0 7 \* \* 1-5 {2}\(next: .*\)\ndigest of yesterday\n/,
    )
    expect(shown).toMatch(/: completed ──\nthree things happened\n$/)
    expect(await run('schedule', 'remove', 'researcher.1')).toMatchObject({
      stdout: 'removed researcher.1\n',
    })
    expect(JSON.parse((await run('schedule', '--json')).stdout)).toEqual({ schedules: [] })
  })

  test('run by two at once gives one task', async () => {
    const { run } = await world()
    await run('schedule', '@researcher', '@yearly', 'digest')
    const both = await Promise.all([1, 2, 3].map(() => run('schedule', 'run', 'researcher.1')))
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1, 1])
    expect(JSON.parse((await run('tasks', '--json')).stdout).tasks).toHaveLength(1)
  })

  test('says nothing of a supervisor that runs', async () => {
    const { bus, run } = await world()
    const set = () => run('schedule', '@planner', '@daily', 'plan')
    await set()
    writeFileSync(bus.home.supervisorPid, JSON.stringify(bus.processes.self()))
    expect((await set()).stderr).toBe('')
  })

  test('is the human’s to set up, run and remove', async () => {
    const { bus, agents } = await agentsOn('frontend', 'backend')
    const [frontend] = agents as [TestAgent, TestAgent]
    const run = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
    await run('agents', 'init')
    await frontend.human()
    expect(await frontend.chat('schedule', '@planner', '@daily', 'plan')).toMatchObject({ code: 0 })
    await run('send', '@frontend', 'more of it', '--as', 'backend')
    await frontend.rung()
    for (const args of [
      ['@planner', '@daily', 'plan'],
      ['run', 'planner.1'],
      ['remove', 'planner.1'],
    ])
      expect(await frontend.chat('schedule', ...args)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('is for your user only'),
      })
    expect(JSON.parse((await run('schedule', '--json')).stdout).schedules).toHaveLength(1)
  })

  test.each([
    [
      ['@researcher', '61 * * * *', 'x'],
      2,
      /"61 \* \* \* \*" does not say when: .*minute: 61\n {2}hint: /,
    ],
    [
      ['@researcher', 'every day', 'x'],
      2,
      /"every day" does not say when: it has 2 fields, not 5\n/,
    ],
    [
      ['@researcher', '0 7 * * *'],
      2,
      /the task is missing\n {2}hint: agent-chat schedule @researcher /,
    ],
    [
      ['@researcher', '0 7 * * *', '  '],
      2,
      /the task is missing\n {2}hint: agent-chat schedule @researcher /,
    ],
    [['@researcher'], 2, /the time is missing/],
    [
      ['@reseacher', '@daily', 'x'],
      4,
      /no agent named @reseacher is defined\n {2}hint: did you mean @researcher/,
    ],
    [['@human', '@daily', 'x'], 2, /reserved/],
    [
      ['run'],
      2,
      /run takes the id of one schedule\n {2}hint: agent-chat schedule run researcher\.1/,
    ],
    [
      ['show', 'x.1'],
      4,
      /no schedule has the id "x\.1"\n {2}hint: see them with: agent-chat schedule\n/,
    ],
  ])('%j', async (args, code, says) => {
    const { run } = await world()
    expect(await run('schedule', ...args)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(says),
    })
  })
})
