// child_process: this file starts the program (see vitest.config.ts).
import { expect, test } from 'vitest'
import { receive } from '../../src/bus/remote/receive.ts'
import type { Message } from '../../src/message/message.ts'
import { systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, filesIn, tempBus } from '../../src/testing/home.ts'
import { linkWithA } from '../../src/testing/linked.ts'
import { until } from '../../src/testing/until.ts'
import { host } from '../mcp/client.ts'
import { answerTo, define, standInStage, startWork } from '../worker/stage.ts'
import { letter } from './stdio.ts'

/** Machine b with @frontend, and what comes from @backend on a. */
function world() {
  const bus = tempBus(['frontend'])
  const { home } = bus
  linkWithA(bus)
  const silence = () => undefined
  const run = (...args: string[]) =>
    runCli(args, { home: home.root, env: { AGENT_CHAT_NAME: 'frontend' } })
  return {
    ...{ bus, home, run },
    /** A message from @backend on a. */
    arrives: (body: string, fields: Partial<Message> = {}) => {
      const wire = letter(body, fields)
      expect(receive(bus, wire, { me: 'b', peer: 'a', silence })).toMatchObject({ is: 'arrived' })
      return wire.id
    },
    queued: () => filesIn(home.out('a')),
    sent: () => eventsOf(home, 'sent').filter(({ to }) => to === 'backend.a'),
  }
}

test.each([['unlink'], ['link'], ['link', '--peer']])(
  'Tab behind %s %s names the machines',
  async (...words) => {
    const { run } = world()
    expect((await run('completion', '--at', ...words, '')).stdout).toBe('a\n')
  },
)

test('a command for sessions here says which ones take a session on another machine', async () => {
  const { run } = world()
  expect(await run('inbox', '@backend.a')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'for a session on another machine there are: send, ask, task, reply, status @backend.a\n',
    ),
  })
})

test('who --all, status and Tab know the sessions of another machine, and a bare name is not theirs', async () => {
  const { run } = world()
  const [who, all, status, unknown, tab, bare] = await Promise.all([
    run('who'),
    run('who', '--all'),
    run('status', '@backend.a'),
    run('status', '@nobody.a'),
    run('completion', '--words', 'names'),
    run('ask', '@backend', 'ready?', '-t', '1'),
  ])
  expect(who.stdout).not.toContain('.a')
  expect(all.stdout).toMatch(/@backend\.a +- +idle +- +- +on a\n@ops\.a /)
  expect(status.stdout).toMatch(
    /^@backend\.a is idle on a, last seen .*; 0 messages queued for a\n$/,
  )
  expect(unknown).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('a has told of no session named @nobody'),
  })
  expect(tab.stdout.split('\n')).toEqual(expect.arrayContaining(['frontend', 'backend.a', 'ops.a']))
  expect(bare).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('on another machine there is: @backend.a'),
  })
})

test('reply, ask and task go to another machine, and its answers end them', async () => {
  const { run, arrives, queued, sent } = world()
  const id = arrives('GET /tasks is ready')
  expect((await run('reply', id, 'thanks, page 2 as well?')).stdout).toMatch(
    /^queued \w+ for @backend\.a \(a last seen /,
  )
  expect(sent()[0]).toMatchObject({ kind: 'reply', in_reply_to: id })

  const asking = run('ask', '@backend.a', 'Is page 2 in?', '-t', '20')
  const question = await until('the question is queued', () => sent()[1])
  const about = (id: unknown) => ({ inReplyTo: `${id}.b`, thread: `${id}.b`, chain: `${id}.b` })
  arrives('yes, page 2 is in', { kind: 'reply', ...about(question.id) })
  expect(await asking).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('yes, page 2 is in'),
  })

  expect((await run('task', '@backend.a', 'Add page 3')).stdout).toMatch(
    /^queued \w+ for @backend\.a /,
  )
  const task = await until('the task is queued', () => sent()[2])
  expect((await run('tasks')).stdout).toContain('@backend.a')
  arrives('page 3 is in', { kind: 'result', ...about(task.id) })
  expect((await run('tasks')).stdout).toMatch(/done/)
  expect(queued()).toHaveLength(3)
})

test('the tools of an MCP host know them', async () => {
  const { home, arrives, sent } = world()
  const { call } = await host(home, 'frontend')
  expect(await call('who')).toMatchObject({
    sessions: expect.arrayContaining([
      expect.objectContaining({ name: 'backend.a', host: 'a', up: true }),
    ]),
  })
  expect(await call('status', { name: '@backend.a' })).toMatchObject({
    sessions: [{ name: 'backend.a', state: 'idle' }],
  })
  expect(await call('send', { to: 'backend.a', message: 'page 2 is in' })).toMatchObject({
    success: true,
  })
  expect(await call('send', { to: 'backend', message: 'page 2 is in' })).toMatchObject({
    success: false,
    hint: expect.stringContaining('@backend.a'),
  })
  const id = arrives('thanks')
  expect(await call('reply', { id, message: 'page 3 follows' })).toMatchObject({ success: true })
  expect(sent()).toHaveLength(2)
})

test('a worker answers the question of another machine', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const bus = { home: stage.home, clock: systemClock(), processes: systemProcesses() }
  linkWithA(bus)
  const question = letter('SAY page 2 is in', { kind: 'question', to: 'coder.b' })
  const silence = () => undefined
  expect(receive(bus, question, { me: 'b', peer: 'a', silence })).toMatchObject({ is: 'arrived' })
  expect(await answerTo(stage, question.id)).toMatchObject({
    to: 'backend.a',
    body: 'page 2 is in',
  })
  await until('the answer is queued', () => filesIn(stage.home.out('a')).length === 1)
})
