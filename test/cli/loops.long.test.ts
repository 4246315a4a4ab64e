import { describe, expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { ringableIds } from '../../src/session/rings.ts'
import { agentsOn, type TestAgent, wrapped } from '../../src/testing/agent.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, filesIn, tempBus } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'

/** Far more than any of these may go on for. */
const ROUNDS = 100

/**
 * What a model that never stops does when it was rung: `next` is whom it writes to, `first` the
 * message that began it all.
 */
type Habit = (agent: TestAgent, next: string, first: string) => Promise<unknown>

const works: Habit = async (agent, next) => {
  await agent.did('Read')
  await agent.chat('send', next, 'GET /tasks also has a due date now')
}
const thanks: Habit = async (agent, next) => {
  await agent.did('Read')
  await agent.chat('send', next, 'Thanks, great work!')
}
const asks: Habit = (agent, next) =>
  agent.chat('send', next, 'And what about the date?', '--question')
const answersTheFirst: Habit = async (agent, next, first) => {
  await agent.did('Read')
  await agent.chat('send', next, 'about your first message', '--reply-to', first)
}
const answersAndAsks: Habit = async (agent, next) => {
  const { stdout } = await agent.chat('history', '1', '--with', agent.name, '--json')
  const [last] = JSON.parse(stdout).messages
  await agent.chat('send', next, 'yes; and the date?', '--question', '--reply-to', last.id)
}
const onlyPeeks: Habit = async (agent, next) => {
  await agent.did('Read')
  await agent.chat('send', next, 'I have seen it', '--json')
}

/**
 * The human has the first agent write to the next one; then each does what it does, for as long as
 * somebody is rung.
 */
async function goRound(bus: Bus, agents: TestAgent[], habit: Habit, reads = true): Promise<number> {
  const [starter] = agents as [TestAgent]
  const nextOf = (agent: TestAgent) =>
    `@${agents[(agents.indexOf(agent) + 1) % agents.length]?.name}`
  await starter.human()
  const { stdout } = await starter.chat('send', nextOf(starter), 'GET /tasks is ready')
  const first = stdout.split(' ')[1] ?? ''
  await starter.hook('stop')
  return roundsOf(bus, agents, (agent) => habit(agent, nextOf(agent), first), reads)
}

/** Rings whoever can be rung, until nobody can; gives how many turns that took. */
async function roundsOf(
  bus: Bus,
  agents: TestAgent[],
  act: (agent: TestAgent) => Promise<unknown>,
  reads = true,
) {
  for (let turns = 0; turns < ROUNDS; ) {
    let rang = false
    for (const agent of agents) {
      const bell = await agent.hook('bell', {
        file_path: bus.home.ring(agent.name),
        event: 'change',
      })
      if (bell.code !== 2) continue
      rang = true
      turns += 1
      await agent.hook('user-prompt-submit', {
        prompt: wrapped(bell.stderr.trim()),
        prompt_id: `${agent.name}-t${turns}`,
      })
      await agent.chat('inbox', ...(reads ? [] : ['--peek']))
      await act(agent)
      await agent.hook('stop')
    }
    if (!rang) return turns
  }
  throw new Error(`still at it after ${ROUNDS} turns`)
}

const sent = (bus: Bus) => eventsOf(bus.home, 'sent').filter(({ from }) => from !== 'agent-chat')
const heldIds = (bus: Bus) => eventsOf(bus.home, 'held').map(({ id }) => id)

describe('agents that never stop, stop by themselves', () => {
  const HABITS: [what: string, names: string[], habit: Habit, messages: number, reads?: boolean][] =
    [
      ['two that work and write', ['a', 'b'], works, 5],
      ['three in a ring', ['a', 'b', 'c'], works, 5],
      ['five in a ring', ['a', 'b', 'c', 'd', 'e'], works, 5],
      ['two that thank', ['a', 'b'], thanks, 2],
      ['two that always ask', ['a', 'b'], asks, 5],
      ['two that answer each question with one', ['a', 'b'], answersAndAsks, 5],
      ['two that always answer the first message', ['a', 'b'], answersTheFirst, 5],
      ['two that only peek', ['a', 'b'], onlyPeeks, 5, false],
    ]
  test.each(HABITS)('%s', async (_, names, habit, messages, reads) => {
    const { bus, agents } = await agentsOn(...names)
    await goRound(bus, agents, habit, reads)
    // The human's own message, and at most four that no human set off.
    expect(sent(bus)).toHaveLength(messages)
    expect(sent(bus).map(({ hops }) => hops)).toEqual([0, 1, 2, 3, 4].slice(0, messages))
    expect(new Set(sent(bus).map(({ chain }) => chain)).size).toBe(1)
    expect(heldIds(bus)).toHaveLength(messages === 5 ? 1 : 0)
    expect(filesIn(bus.home.inbox('human'))).toHaveLength(messages === 5 ? 1 : 0)
  })

  test('two without hooks, of which nothing tells whose turn it is', async () => {
    const bus = tempBus(['a', 'b'])
    const run = (name: string, ...args: string[]) =>
      runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: name } })
    await run('a', 'send', '@b', 'GET /tasks is ready')
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const [me = '', other = ''] = turn % 2 === 0 ? ['b', 'a'] : ['a', 'b']
      if (ringableIds(bus, me).length === 0) break
      await run(me, 'inbox')
      await run(me, 'send', `@${other}`, 'one more thing: the due date')
    }
    expect(sent(bus).map(({ hops }) => hops)).toEqual([0, 1, 2, 3, 4])
    expect(heldIds(bus)).toHaveLength(1)
  })

  test('and go on, for as long again, once the human lets them; and the human is told anew', async () => {
    const { bus, agents } = await agentsOn('a', 'b')
    await goRound(bus, agents, works)
    const [chain] = sent(bus).map((event) => String(event.chain))
    const run = await runAsOwner(['release', chain ?? ''], { home: bus.home.root })
    expect(run).toMatchObject({ code: 0, stdout: '1 held message released\n' })
    await roundsOf(bus, agents, (agent) => works(agent, agent.name === 'a' ? '@b' : '@a', ''))
    expect(sent(bus).map(({ hops }) => hops)).toEqual([0, 1, 2, 3, 4, 1, 2, 3, 4])
    expect(heldIds(bus)).toHaveLength(2)
    expect(filesIn(bus.home.inbox('human'))).toHaveLength(2)
  })
})

describe('a chain', () => {
  const pair = async () => {
    const { bus, agents } = await agentsOn('frontend', 'backend')
    const [frontend, backend] = agents as [TestAgent, TestAgent]
    return { bus, frontend, backend }
  }

  test('begins with a prompt of the human’s, and all that they set off in that turn is on it', async () => {
    const { bus, frontend } = await pair()
    await frontend.human()
    await frontend.chat('send', '@backend', 'one')
    await frontend.chat('send', '@human', 'two')
    await frontend.human()
    await frontend.chat('send', '@backend', 'three')
    const [one, two, three] = sent(bus)
    expect(one).toMatchObject({ hops: 0, chain: expect.stringMatching(/-from-human$/) })
    expect(two?.chain).toBe(one?.chain)
    expect(three).toMatchObject({ hops: 0 })
    expect(three?.chain).not.toBe(one?.chain)
  })

  test('is carried by what was read, also to another than its sender', async () => {
    const { bus, frontend, backend } = await pair()
    await frontend.human()
    await frontend.chat('send', '@backend', 'GET /tasks?')
    await backend.rung('frontend')
    await backend.did('Read')
    await backend.chat('send', '@human', 'I was asked')
    expect(sent(bus).map(({ hops }) => hops)).toEqual([0, 1])
    expect(new Set(sent(bus).map(({ chain }) => chain)).size).toBe(1)
  })

  test('ends where the human speaks in the turn', async () => {
    const { bus, frontend, backend } = await pair()
    await frontend.human()
    await frontend.chat('send', '@backend', 'GET /tasks?')
    await backend.rung('frontend')
    await backend.human('tell them yes')
    await backend.chat('send', '@frontend', 'yes')
    const [first, second] = sent(bus)
    expect(second).toMatchObject({ hops: 0 })
    expect(second?.chain).not.toBe(first?.chain)
  })
})
