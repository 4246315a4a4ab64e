import { describe, expect, test } from 'vitest'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { eventsOf } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'

async function pair() {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend] = agents as [TestAgent]
  const outside = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
  const rung = async () => {
    await outside('send', '@frontend', 'GET /tasks is ready', '--as', 'backend')
    await frontend.rung()
  }
  return { bus, frontend, outside, rung }
}

describe('approve', () => {
  test('lets the next message pass without work, and the one after it not', async () => {
    const { bus, frontend, rung } = await pair()
    await frontend.human()
    expect(await frontend.chat('approve', '@backend')).toEqual({
      code: 0,
      signal: null,
      stdout: 'messages between @frontend and @backend are approved for 1 more message\n',
      stderr: '',
    })
    expect(eventsOf(bus.home, 'pre-approved')).toMatchObject([
      { name: 'frontend', peer: 'backend', left: 1, until: null },
    ])
    await rung()
    // What came in has used it up; what this turn sends follows from what was approved.
    expect(await frontend.chat('send', '@backend', 'seen')).toMatchObject({ code: 0 })
    await rung()
    expect(await frontend.chat('send', '@backend', 'seen')).toMatchObject({ code: 3 })
  })

  test('counts messages in both directions', async () => {
    const { bus, frontend, outside } = await pair()
    await frontend.human()
    await frontend.chat('approve', '@backend', '--count', '3')
    const left = async () =>
      JSON.parse((await outside('gate', 'frontend', '--json')).stdout).sessions[0].approvals
    await outside('send', '@frontend', 'one', '--as', 'backend')
    await frontend.rung()
    expect(await left()).toMatchObject({ backend: { left: 2 } })
    await frontend.chat('send', '@backend', 'two')
    expect(await left()).toMatchObject({ backend: { left: 1 } })
    expect(eventsOf(bus.home, 'approved')).toMatchObject([
      { name: 'frontend', to: 'backend', by: 'pre-approval' },
    ])
    await outside('send', '@frontend', 'three', '--as', 'backend')
    await frontend.chat('inbox')
    expect(await left()).toEqual({})
  })

  test('a peek spends nothing', async () => {
    const { frontend, outside } = await pair()
    await frontend.human()
    await frontend.chat('approve', '@backend')
    await outside('send', '@frontend', 'one', '--as', 'backend')
    await frontend.chat('inbox', '--peek')
    expect((await outside('gate', 'frontend')).stdout).toContain('@backend, 1 more message\n')
  })

  test('is listed, and taken back by either of two commands, in any turn', async () => {
    const { bus, frontend, outside, rung } = await pair()
    await frontend.human()
    for (const revoke of [
      ['approve', '@backend', '--revoke'],
      ['gate', '--revoke', '@backend'],
    ]) {
      await frontend.human()
      await frontend.chat('approve', '@backend', '--for', '30m')
      expect((await outside('gate', 'frontend')).stdout).toMatch(
        /@backend, any number of messages until /,
      )
      await rung()
      expect(await frontend.chat(...revoke)).toMatchObject({
        code: 0,
        stdout: 'messages between @frontend and @backend are no longer approved beforehand\n',
      })
      expect((await outside('gate', 'frontend')).stdout).not.toContain('approved')
    }
    expect(eventsOf(bus.home, 'approval-revoked')).toHaveLength(2)
    const json = await outside('gate', 'frontend', '--revoke', '@backend', '--json')
    expect(JSON.parse(json.stdout)).toEqual({ name: 'frontend', peer: 'backend', approval: null })
  })

  test('is refused in a doorbell’s turn, whatever the model says, and that is in the history', async () => {
    const { bus, frontend, outside, rung } = await pair()
    await rung()
    for (const args of [[], ['--name', 'frontend'], ['--name', 'backend'], ['--for', '2h']])
      expect(await frontend.chat('approve', '@backend', ...args)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(
          /agent-chat approve is for your user only, and they have not typed anything in this turn\n {2}hint: ask your user/,
        ),
      })
    expect((await outside('gate', 'frontend')).stdout).not.toContain('approved')
    expect(eventsOf(bus.home, 'refused')).toHaveLength(4)
  })

  test('is the human’s in a terminal of their own', async () => {
    const { outside } = await pair()
    expect(await outside('approve', '@backend')).toMatchObject({ code: 6 })
    const run = await outside('approve', '@backend', '--as', 'frontend', '--json')
    expect(JSON.parse(run.stdout)).toEqual({
      name: 'frontend',
      peer: 'backend',
      approval: { left: 1, until: null, at: expect.any(String) },
    })
  })

  test.each([
    ['@All caps'],
    ['@human'],
    ['@all'],
    ['@x', '--count', '0'],
    ['@x', '--count', '-1'],
    ['@x', '--for', '2'],
    ['@x', '--for', '0m'],
    ['@x', '--for', '1y'],
    [],
  ])('%j is bad usage', async (...args) => {
    const { outside } = await pair()
    expect(await outside('approve', ...args, '--as', 'frontend')).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})

test('approve tells of a name that nobody has', async () => {
  const { outside } = await pair()
  expect(await outside('approve', '@bakend', '--as', 'frontend')).toMatchObject({
    code: 0,
    stderr: 'agent-chat: there is no session @bakend: did you mean @backend?\n',
  })
})
