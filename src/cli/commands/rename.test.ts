import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSessions } from '../../bus/names/registry.ts'
import { believedState } from '../../session/stateFile.ts'
import { agentsOn } from '../../testing/agent.ts'
import { outcome, runCli, startCli } from '../../testing/cli.ts'
import { eventsOf, tempHome } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'

test('an agent renames itself: its environment still has the old name, its hooks and its bell the new one', async () => {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const [backend, frontend] = agents
  if (!backend || !frontend) throw new Error('no agents')
  await backend.human()
  const run = await backend.chat('rename', 'backend', 'payments', '--json')
  expect([run.code, JSON.parse(run.stdout).name]).toEqual([0, 'payments'])
  // The agent is told as of a join: its client runs this hook, and listens where it says.
  const joins = `${bus.home.joinsBell}/${backend.ref.pid}`
  expect(existsSync(joins)).toBe(true)
  const told = JSON.parse((await backend.hook('joined', { file_path: joins })).stdout)
  expect(told.hookSpecificOutput.watchPaths).toContain(bus.home.bell('payments'))
  expect(believedState(bus.home, 'payments', bus.processes)).toMatchObject({
    activity: 'busy',
    native: true,
  })
  expect(readSessions(bus.home).payments?.agent).toEqual(backend.ref)
  await backend.hook('stop')
  await frontend.human()
  expect((await frontend.chat('send', '@payments', 'for you')).code).toBe(0)
  const rung = await backend.hook('bell', { file_path: bus.home.ring('payments') })
  expect([rung.code, rung.stderr]).toEqual([
    2,
    expect.stringContaining('New message from @frontend'),
  ])
  const inbox = await backend.chat('inbox')
  expect(inbox.stdout).toContain('for you')
  expect(inbox.stderr).toBe('')
  const said = await backend.chat('send', '@frontend', 'mine', '--json')
  expect(JSON.parse(said.stdout).from).toBe('payments')
})

test('an agent renames no other, unless its human has said so', async () => {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const [backend] = agents
  if (!backend) throw new Error('no agent')
  await backend.rung('frontend')
  const run = await backend.chat('rename', 'frontend', 'site')
  expect([run.code, Object.keys(readSessions(bus.home)).sort()]).toEqual([
    3,
    ['backend', 'frontend'],
  ])
  expect((await backend.chat('rename', 'backend', 'payments')).code).toBe(0)
  await backend.human()
  expect((await backend.chat('rename', 'frontend', 'site')).code).toBe(0)
  expect(Object.keys(readSessions(bus.home)).sort()).toEqual(['payments', 'site'])
})

test('what the gate and the turn remember goes along', async () => {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const [backend, frontend] = agents
  if (!backend || !frontend) throw new Error('no agents')
  await backend.human()
  await backend.chat('send', '@frontend', 'may I?', '--question')
  await frontend.human()
  await frontend.chat('rename', 'frontend', 'site')
  // One question at a time to each session, also to one that has another name by now.
  await backend.rung('site')
  const second = await backend.chat('send', '@site', 'and may I?', '--question')
  expect([second.code, second.stderr]).toEqual([
    3,
    expect.stringContaining('blocked: one clarifying question'),
  ])
  expect(Object.keys(readSessions(bus.home)).sort()).toEqual(['backend', 'site'])
})

test.each([
  ['the one who asks', 'frontend', 'site', 'backend'],
  ['the one who is asked', 'backend', 'payments', 'payments'],
])('a waiting ask gets its answer when %s is renamed', async (_, from, to, answerer) => {
  const home = tempHome('backend', 'frontend')
  const asking = startCli(
    ['ask', '@backend', 'which port?', '--as', 'frontend', '--timeout', '20', '--json'],
    {
      home: home.root,
    },
  )
  const ended = outcome(asking)
  await until('the question', () => eventsOf(home, 'sent').length === 1)
  const id = String(eventsOf(home, 'sent')[0]?.id)
  expect((await runCli(['rename', from, to], { home: home.root })).code).toBe(0)
  expect((await runCli(['reply', id, '8080', '--as', answerer], { home: home.root })).code).toBe(0)
  const run = await ended
  expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'answered', answer: { body: '8080' } })
  expect(readFileSync(home.sessions, 'utf8')).toContain(`"${to}"`)
  const rest = await runCli(['inbox', to, '--json'], { home: home.root })
  expect(JSON.parse(rest.stdout).messages.map(({ body }: { body: string }) => body)).not.toContain(
    '8080',
  )
})

test.each(['rename human bob', 'stop human', 'leave human'])(
  '%s says who that is',
  async (line) => {
    const run = await runCli(line.split(' '), { home: tempHome('backend').root })
    expect(run.code).toBe(4)
    expect(run.stderr).toMatch(/@human is a person, not a session\n {2}hint: name a session; /)
  },
)
