import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sendMessage } from '../../bus/mail/send.ts'
import { noteRoom } from '../../session/room.ts'
import { readState } from '../../session/stateFile.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { runCli } from '../../testing/cli.ts'
import { filesIn, tempDirectory } from '../../testing/home.ts'

test('look gives what is unread, what is asked and the conversation that a pane shows', async () => {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend, backend] = agents as [TestAgent, TestAgent]
  sendMessage(bus, {
    ...{ from: 'backend', to: 'frontend', kind: 'note', subject: 'API\x1b[2J contract' },
    body: 'x',
  })
  await backend.human()
  await backend.chat('escalate', 'Drop it?', '--option', 'yes', '--option', 'no')
  const look = async (...args: string[]) =>
    JSON.parse((await frontend.chat('room', 'look', ...args)).stdout)
  expect(await look()).toMatchObject({
    ...{ name: 'frontend', unread: 1, home: bus.home.root },
    latest: [{ from: 'backend', title: expect.not.stringContaining('\x1b') }],
    questions: [{ from: 'backend', number: 1, title: 'Drop it?', options: ['yes', 'no'] }],
  })
  const { pane } = await look('--pane', '-')
  expect(pane).toMatchObject({
    ...{ peer: 'backend', held: [] },
    sessions: [{ name: 'backend' }, { name: 'frontend', unread: 1 }],
    messages: [{ to: 'frontend' }, { to: 'human' }],
  })
})

test('what nobody pressed is refused, also as the human', async () => {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend, backend] = agents as [TestAgent, TestAgent]
  await backend.human()
  await backend.chat('escalate', 'Drop it?', '--option', 'yes')
  for (const AGENT_CHAT_NAME of ['frontend', 'human']) {
    const { code, stderr } = await runCli(['room', 'press'], {
      home: bus.home.root,
      env: { AGENT_CHAT_NAME },
      input: JSON.stringify({ do: 'reply', id: '1', text: '1' }),
    })
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('hint: ') })
  }
  expect((await frontend.chat('room', 'press')).code).not.toBe(0)
  expect(filesIn(bus.home.inbox('backend'))).toEqual([])
  expect(existsSync(bus.home.words)).toBe(false)
})

test('the end of an interrupted turn is noted once, and not for a turn that has begun since', async () => {
  const { bus, agents } = await agentsOn('frontend')
  const frontend = agents[0] as TestAgent
  await frontend.human()
  const ended = async (at: number) =>
    JSON.parse((await frontend.chat('room', 'ended', String(at))).stdout).ended
  expect(await ended(bus.clock.now() - 60_000)).toBe(false)
  expect(readState(bus.home, 'frontend')?.activity).toBe('busy')
  expect(existsSync(bus.home.ringAgain('frontend'))).toBe(false)
  expect(await ended(bus.clock.now())).toBe(true)
  expect(readState(bus.home, 'frontend')?.activity).toBe('idle')
  // The client hears of a bell that is written. It hears sooner of one that goes.
  expect(existsSync(bus.home.ringAgain('frontend'))).toBe(true)
  utimesSync(bus.home.ringAgain('frontend'), 0, 0)
  await frontend.human()
  expect(await ended(bus.clock.now())).toBe(true)
  expect(existsSync(bus.home.ringAgain('frontend'))).toBe(false)
})

test('one note for each client that runs; those of clients that ended go', async () => {
  const { bus, agents } = await agentsOn('frontend')
  const begin = () => (agents[0] as TestAgent).chat('room', 'look', '--begin', '2.1.329')
  const { pid } = JSON.parse((await begin()).stdout)
  expect(readdirSync(bus.home.rooms).sort()).toEqual([
    `${pid}.json`,
    `${pid}.judged`,
    `${pid}.prompt`,
  ])
})

test('the room tells of a decision where the person typed last, and nowhere else', async () => {
  const { bus, agents } = await agentsOn('frontend', 'backend', 'docs')
  const tells = () =>
    Promise.all(
      agents.map(async (agent) => JSON.parse((await agent.chat('room', 'look')).stdout).tells),
    )
  const [frontend, backend] = agents as [TestAgent, TestAgent]
  for (const [at, { ref }] of [frontend, backend].entries())
    noteRoom(bus, { agent: ref, since: `2026-11-21T03:39:1${at}.123Z`, client: '2.1.329' })
  expect(await tells()).toEqual([true, false, false])
  const note = { kind: 'composer', key: 'x', at: 5, typed: 5 }
  writeFileSync(bus.home.roomPrompt(backend.ref.pid), JSON.stringify(note))
  expect(await tells()).toEqual([false, true, false])
  await backend.end()
  expect(await tells()).toEqual([true, false, false])
})

test('looking makes no home', async () => {
  const home = `${tempDirectory()}/none`
  const { code } = await runCli(['room', 'look', '--begin', '2.1.329'], { home })
  expect(code).toBe(2)
  expect(existsSync(home)).toBe(false)
})
