import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { marksOf } from '../../bus/mail/marks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { shortId } from '../../message/shortId.ts'
import { claimRing, ringableIds, settleRing } from '../../session/rings.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'
import { longId } from '../../testing/longId.ts'
import { allHeld, release } from '../../trust/sendGate/held.ts'

const WHY = 'more than 20 messages in 10 minutes'

async function pair() {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend, backend] = agents as [TestAgent, TestAgent]
  const outside = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
  const bell = (agent: TestAgent) =>
    agent.hook('bell', { file_path: bus.home.ring(agent.name), event: 'change' })
  return { bus, frontend, backend, outside, bell }
}

/** A message at the end of four hops, held as `send` would hold it. */
function hold(bus: Bus, from: string, to: string, chain: string): string {
  const silent = {
    ring: 'held' as const,
    why: '4 messages on this chain since your user last wrote',
  }
  return sendMessage(bus, {
    from,
    to,
    kind: 'note',
    body: 'one more thing',
    chain,
    hops: 4,
    silent,
  }).message.id
}

describe('a message over a cap', () => {
  test('is kept and does not ring; sender, recipient and human each learn it once', async () => {
    const { bus, frontend, backend, outside, bell } = await pair()
    await frontend.human()
    for (let count = 0; count < 20; count += 1)
      await frontend.chat('send', '@human', `number ${count}`)
    const held = await frontend.chat('send', '@backend', 'number 20')
    const id = longId(bus.home, held.stdout)
    expect(held).toMatchObject({
      code: 0,
      stderr: `agent-chat: ${shortId(id)} is stored, not delivered yet: ${WHY}\n`,
    })
    const again = await frontend.chat('send', '@backend', 'number 21', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ ring: 'held', why: WHY })

    expect(await bell(backend)).toMatchObject({ code: 0, stderr: '' })
    const notes = eventsOf(bus.home, 'sent').filter(({ from }) => from === 'agent-chat')
    expect(notes).toMatchObject([{ to: 'human', subject: '@frontend to @backend is held' }])
    expect(eventsOf(bus.home, 'held')).toMatchObject([
      { id, from: 'frontend', to: 'backend', why: WHY },
      { why: WHY },
    ])

    const who = JSON.parse((await outside('who', '--json')).stdout).sessions
    expect(who).toMatchObject([
      { name: 'backend', unread: 2, held: 2 },
      { name: 'frontend', held: 0 },
    ])
    expect((await outside('who')).stdout).toMatch(/@backend .* 2 held: agent-chat gate\n/)
    expect((await outside('history')).stdout).toContain(`  held: ${WHY}\n`)
    expect(JSON.parse((await outside('history', '--json')).stdout).messages.at(-1)).toMatchObject({
      ring: 'held',
      why: WHY,
    })
    const show = await outside('show', id)
    expect(show.stdout).toMatch(
      new RegExp(`\nto @backend · unread · held: ${WHY}; release it with: agent-chat release `),
    )
    expect(show.stdout).toMatch(new RegExp(`\\n {2}held +[\\d-]+ [\\d:]+: ${WHY}\\n`))
    expect(JSON.parse((await outside('show', id, '--json')).stdout)).toMatchObject({
      silent: { ring: 'held', why: WHY },
      stages: [{ stage: 'sent' }, { stage: 'held', why: WHY }],
    })

    const inbox = await backend.chat('inbox')
    expect(inbox.stdout).toContain(`\nheld: ${WHY}; your user can release it: agent-chat release `)
    expect(await backend.chat('inbox')).toMatchObject({
      stdout: 'no unread messages for @backend\n',
    })
    expect(marksOf(bus.home, 'backend')).toEqual({})
    expect(JSON.parse((await outside('show', id, '--json')).stdout)).toMatchObject({
      place: 'read',
      silent: null,
    })
  })

  test('is marked in the inbox’s data', async () => {
    const { bus, backend } = await pair()
    hold(bus, 'frontend', 'backend', 'c1')
    sendMessage(bus, { from: 'frontend', to: 'backend', kind: 'note', body: 'plain' })
    const { messages } = JSON.parse((await backend.chat('inbox', '--json')).stdout)
    expect(messages[0].held).toMatch(/^4 messages/)
    expect(messages[1]).not.toHaveProperty('held')
  })
})

describe('release and unpause', () => {
  const CHAINS = [
    '20261121T033912.123456Z-from-human',
    '20261121T033913.123456Z-from-human',
  ] as const

  test('lets exactly that chain ring, found by a part of it', async () => {
    const { bus, backend, frontend, outside, bell } = await pair()
    const [first, second] = [
      hold(bus, 'frontend', 'backend', CHAINS[0]),
      hold(bus, 'backend', 'frontend', CHAINS[1]),
    ]
    expect((await outside('gate')).stdout).toContain(
      `held: ${shortId(first)} to @backend: 4 messages on this chain`,
    )
    const run = await outside('release', '033912', '--json')
    expect(JSON.parse(run.stdout)).toMatchObject({
      resumed: [{ id: first, to: 'backend', chain: CHAINS[0] }],
      paused: false,
    })
    expect(await bell(backend)).toMatchObject({
      code: 2,
      stderr: 'New message from @frontend. Check inbox.\n',
    })
    expect(await bell(frontend)).toMatchObject({ code: 0 })
    expect(eventsOf(bus.home, 'resumed')).toMatchObject([{ id: first, to: 'backend' }])
    expect((await outside('show', first)).stdout).toMatch(/\nto @backend · unread\n/)
    expect((await outside('gate')).stdout).toContain(`held: ${shortId(second)}`)
  })

  test('unpause undoes pause, and no more: what is held stays held until release --all', async () => {
    const { bus, backend, frontend, outside, bell } = await pair()
    hold(bus, 'frontend', 'backend', CHAINS[0])
    hold(bus, 'backend', 'frontend', CHAINS[1])
    await outside('pause')
    expect(await outside('unpause')).toEqual({
      code: 0,
      signal: null,
      stdout: 'notifications are on again\n',
      stderr:
        'agent-chat: the loop rule keeps 2 held messages; to let go: agent-chat release --all\n',
    })
    for (const agent of [backend, frontend]) expect(await bell(agent)).toMatchObject({ code: 0 })
    expect(await outside('release', '--all', '--yes')).toMatchObject({
      code: 0,
      stdout: '2 held messages released\n',
    })
    for (const agent of [backend, frontend]) expect(await bell(agent)).toMatchObject({ code: 2 })
  })

  const note = (bus: Bus) =>
    sendMessage(bus, { from: 'frontend', to: 'backend', kind: 'note', body: 'plain' }).message.id
  test.each<[was: string, before: (bus: Bus) => void, held: number]>([
    ['nothing', () => {}, 0],
    ['a message that waits', note, 0],
    ['a held chain', (bus) => hold(bus, 'frontend', 'backend', CHAINS[0]), 1],
    [
      'two held chains, and a message that waits',
      (bus) => {
        hold(bus, 'frontend', 'backend', CHAINS[0])
        hold(bus, 'backend', 'frontend', CHAINS[1])
        note(bus)
      },
      2,
    ],
    [
      'a chain that was released, and is held again',
      (bus) => {
        hold(bus, 'frontend', 'backend', CHAINS[0])
        release(bus, allHeld(bus))
        hold(bus, 'backend', 'frontend', CHAINS[0])
      },
      1,
    ],
    [
      'a message that was rung for, and a held one',
      (bus) => {
        note(bus)
        settleRing(bus, 'backend', 'native', claimRing(bus, 'backend', 'native'), true)
        hold(bus, 'frontend', 'backend', CHAINS[0])
      },
      1,
    ],
  ])('unpause brings back what was before pause: %s', async (_, before, held) => {
    const bus = tempBus(['frontend', 'backend'])
    before(bus)
    const state = () =>
      ['frontend', 'backend'].map((name) => [marksOf(bus.home, name), ringableIds(bus, name)])
    const all = () => [state(), allHeld(bus), filesIn(bus.home.toldChains)]
    const [were, released] = [all(), eventsOf(bus.home, 'resumed')]
    for (const verb of ['pause', 'pause', 'unpause']) {
      const run = await runAsOwner([verb, '--json'], { home: bus.home.root })
      expect(JSON.parse(run.stdout)).toMatchObject(
        verb === 'unpause' ? { resumed: [], held, paused: false, unpaused: true } : {},
      )
    }
    expect(all()).toEqual(were)
    expect(eventsOf(bus.home, 'resumed')).toEqual(released)
  })

  const asks = (count: string) =>
    new RegExp(`before it lets ${count} go\n {2}hint: .*: agent-chat release --all --yes\n$`)
  test.each<[held: number, more: string[], code: number, says: RegExp]>([
    [0, [], 0, /^no message is held\n$/],
    [1, [], 2, asks('1 held message')],
    [2, [], 2, asks('2 held messages')],
    [2, ['--json'], 2, /"release --all asks before it lets 2 held messages go"/],
    [1, ['--yes'], 0, /^1 held message released\n$/],
    [2, ['--yes', '--json'], 0, /"held":0,/],
  ])(
    'release --all of %i without a terminal, with %j: exit %i',
    async (count, more, code, says) => {
      const bus = tempBus(['frontend', 'backend'])
      for (const chain of CHAINS.slice(0, count)) hold(bus, 'frontend', 'backend', chain)
      const run = await runAsOwner(['release', '--all', ...more], { home: bus.home.root })
      expect(run).toMatchObject({ code, [code === 0 ? 'stderr' : 'stdout']: '' })
      expect(run.stdout + run.stderr).toMatch(says)
      expect(ringableIds(bus, 'backend')).toHaveLength(code === 0 ? count : 0)
    },
  )

  test('is refused in a doorbell’s turn, and allowed in the human’s', async () => {
    const { bus, backend } = await pair()
    hold(bus, 'frontend', 'backend', CHAINS[0])
    await backend.hook('user-prompt-submit', {
      prompt: '<task-notification>\n<task-id>b1',
      prompt_id: 'p1',
    })
    for (const args of [['release', CHAINS[0]], ['release', '--all'], ['unpause']])
      expect(await backend.chat(...args)).toMatchObject({ code: 3, stdout: '' })
    expect(ringableIds(bus, 'backend')).toEqual([])
    await backend.human()
    expect(await backend.chat('release', CHAINS[0])).toMatchObject({ code: 0 })
    expect(ringableIds(bus, 'backend')).toHaveLength(1)
  })

  test.each([
    [['release'], 2],
    [['release', 'c', '--all'], 2],
    [['release', 'nothing'], 4],
    [['release', '033'], 4],
    [['release', '0339'], 2],
  ])('%j ends with %i', async (args, code) => {
    const bus = tempBus(['frontend', 'backend'])
    for (const chain of CHAINS) hold(bus, 'frontend', 'backend', chain)
    const run = await runAsOwner(args, { home: bus.home.root })
    expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(/\n {2}hint: /) })
    expect(ringableIds(bus, 'backend')).toEqual([])
  })
})

describe('pause', () => {
  test('silences every doorbell; messages are kept, and ring after', async () => {
    const { bus, frontend, backend, outside, bell } = await pair()
    expect(await backend.chat('pause')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('agent-chat unpause'),
    })
    expect(JSON.parse((await outside('pause', '--json')).stdout)).toEqual({ paused: true })
    await frontend.human()
    await frontend.chat('send', '@backend', 'GET /tasks is ready')
    expect(await bell(backend)).toMatchObject({ code: 0, stderr: '' })
    expect(filesIn(bus.home.inbox('backend'))).toHaveLength(1)
    expect(eventsOf(bus.home, 'paused')).toHaveLength(2)
    await outside('unpause')
    expect(await bell(backend)).toMatchObject({ code: 2 })
    expect(eventsOf(bus.home, 'unpaused')).toHaveLength(1)
  })
})
