import { expect, test } from 'vitest'
import { runCli } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'
import { worldForTest } from './harness/test-world.ts'

test('in a folder that Claude Code does not trust, start says so, and the list until you have answered', async () => {
  const world = await worldForTest({ trusted: false })
  const bin = world.claude.slice(0, world.claude.lastIndexOf('/'))
  const run = (...args: string[]) =>
    runCli(args, {
      ...{ home: world.chat, cwd: world.cwd },
      env: { ...world.env, PATH: `${bin}:${world.env.PATH}` },
    })
  const started = await run('start', 'docs', '--detach')
  expect(started).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^started @docs /),
    stderr: 'agent-chat: @docs waits for you to trust this folder: agent-chat attach docs\n',
  })
  const needs = async () => JSON.parse((await run('--json')).stdout).needs_you
  expect(await needs()).toMatchObject([{ session: 'docs', reason: 'trust' }])
  expect((await run('doctor')).stdout).not.toContain('Claude Code did not load it')

  const id = await world.tmux.tmux('list-panes', '-t', 'ac-docs', '-F', '#{pane_id}')
  const pane = world.tmux.pane(id.trim())
  await pane.key('Down')
  await pane.key('Enter')
  await until('the agent to tell of its start', async () => {
    const { sessions } = JSON.parse((await run('who', '--json')).stdout)
    return sessions[0].state === 'idle'
  })
  expect(await needs()).toEqual([])
})
