import { describe, expect, test } from 'vitest'
import { CODEX } from '../agents/codex.ts'
import { CODEX_QUEUE } from '../agents/codexQueue.ts'
import type { Session } from '../bus/names/registry.ts'
import { tempBus } from '../testing/home.ts'
import { queueDoorbell } from './queue.ts'

type Item = { id: string; input: { text: string }[] }

/** A server of Codex with one conversation. `paused`: its queue waits, as after Escape. */
function server(
  more: { status?: object; paused?: boolean; threads?: string[]; agent?: string } = {},
) {
  const { status = { type: 'idle' }, threads = ['t1'], agent = 'codex/0.169.0' } = more
  let paused = more.paused === true
  const queue: Item[] = []
  const turns: string[] = []
  const calls: string[] = []
  const drain = () => {
    if (!paused) turns.push(...queue.splice(0).map(({ input }) => input[0]?.text ?? ''))
  }
  const answers: Record<string, (params: Record<string, unknown>) => unknown> = {
    initialize: () => ({ userAgent: agent }),
    'thread/loaded/list': () => ({ data: threads }),
    'thread/read': ({ threadId: id }) => ({ thread: { id, threadSource: 'user', status } }),
    'thread/queue/list': () => ({ data: queue }),
    'thread/queue/add': ({ input }) => {
      queue.push({ id: `q${queue.length}`, input: input as Item['input'] })
      drain()
    },
    'thread/queue/start': () => {
      paused = false
      drain()
    },
  }
  const open = async () => ({
    call: async (method: string, params: object) => {
      calls.push(method)
      return answers[method]?.({ ...params })
    },
    ...{ notify: () => {}, close: () => {}, isOpen: () => true },
  })
  return { open, turns, calls, queue }
}

const BOB = {
  ...{ name: 'bob', pane: null, tmux_socket: null, joined_at: '', agent: null, native: false },
  ...{ doorbell: 'auto', cwd: '', program: 'codex', server: '/run/x.sock' },
} satisfies Session
const ID = '20260101T000000.000000Z-from-lead'

function ring(fake: ReturnType<typeof server>, session: Session = BOB) {
  const bus = tempBus()
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
  const agent = { ...CODEX, queue: CODEX_QUEUE }
  return queueDoorbell(bus, agent, { open: fake.open, pause }).ring(session, () => [ID])
}

describe('a queue', () => {
  test('wakes an idle agent, and begins no turn by itself', async () => {
    const fake = server()
    expect(await ring(fake)).toEqual({ kind: 'rung' })
    expect(fake.turns).toEqual(['New message from @lead. Check inbox.'])
    expect(fake.calls).not.toContain('thread/queue/start')
    expect(fake.calls).not.toContain('turn/start')
  })

  test('that waits since Escape is started again', async () => {
    const fake = server({ paused: true })
    expect(await ring(fake)).toEqual({ kind: 'rung' })
    expect(fake.turns).toEqual(['New message from @lead. Check inbox.'])
  })

  test('with a ring that a killed ringer has left gets no second one', async () => {
    const fake = server({ paused: true })
    fake.queue.push({ id: 'q', input: [{ text: '2 new messages from @lead. Check inbox.' }] })
    expect(await ring(fake)).toEqual({ kind: 'rung' })
    expect(fake.turns).toEqual(['2 new messages from @lead. Check inbox.'])
  })

  const WAITS: [what: string, fake: Parameters<typeof server>[0], why: RegExp][] = [
    ['in a turn', { status: { type: 'active', activeFlags: [] } }, /the agent is busy/],
    [
      'at a dialog',
      { status: { type: 'active', activeFlags: ['waitingOnApproval'] } },
      /a dialog is open/,
    ],
    ['between conversations', { threads: ['t1', 't2'] }, /changing conversations/],
    ['of an older version', { agent: 'codex/0.168.9' }, /no bell: Codex 0\.168\.9 is older/],
    ['of an unknown version', { agent: 'x' }, /no bell: Codex of an unknown version/],
  ]
  test.each(WAITS)('is left alone %s', async (_, more, why) => {
    const fake = server(more)
    expect(await ring(fake)).toMatchObject({
      kind: 'wait',
      typed: false,
      why: expect.stringMatching(why),
    })
    expect(fake.queue).toEqual([])
    expect(fake.turns).toEqual([])
  })

  test('is missing where the user has chosen the server', async () => {
    const { server: _, ...session } = BOB
    const why = "no bell: Codex was started without a server of agent-chat's"
    expect(await ring(server(), session)).toEqual({ kind: 'wait', typed: false, why })
  })

  test('of a server that has ended says so', async () => {
    const fake = {
      ...server(),
      open: () => Promise.reject(Object.assign(new Error(), { code: 'ENOENT' })),
    }
    expect(await ring(fake)).toMatchObject({ why: 'no bell: the server of this agent has ended' })
  })
})
