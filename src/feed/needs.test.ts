import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { putMark } from '../bus/mail/marks.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { systemProcesses } from '../system/processes.ts'
import { tempBus } from '../testing/home.ts'
import { overviewOf } from './overview.ts'

const CHAIN = '20261121T033912.123456Z-from-human'
const nowhere = { run: async () => undefined, runHere: async () => undefined } as never

/** A home in which backend is this process, in such a state. */
function world(state: Record<string, unknown> = {}) {
  const bus = tempBus(['backend', 'frontend'])
  const me = systemProcesses().self()
  const agent = { pid: me.pid, started: me.started }
  const at = new Date().toISOString()
  const session = (name: string) => ({ name, pane: null, joined_at: at, agent })
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({
      backend: session('backend'),
      frontend: { ...session('frontend'), agent: null },
    }),
  )
  mkdirSync(bus.home.states, { recursive: true })
  const idle = { activity: 'idle', since: at, session_id: null, agent, native: true, vim: false }
  writeFileSync(bus.home.state('backend'), JSON.stringify({ ...idle, gate: 'enforce', ...state }))
  const look = async (env = {}) =>
    (await overviewOf({ bus: () => bus, env, tmux: nowhere })).needs_you
  return { bus, at, look }
}

test('nothing needs you where all are idle', async () => {
  expect(await world().look()).toEqual([])
})

test('a session at a dialog, with the command that leads there', async () => {
  const { look, at } = world({ activity: 'asking' })
  expect(await look()).toEqual([
    {
      session: 'backend',
      reason: 'permission',
      since: at,
      what: 'it asks permission',
      answer: 'agent-chat attach backend',
    },
  ])
})

test.each([
  ['idle', 1],
  ['busy', 1],
  ['gone', 0],
])('a question in the last words of a turn, where the session is %s', async (activity, count) => {
  const at = '2026-11-27T14:02:00.000Z'
  const { look } = world({ activity, question: { text: 'Shall I go ahead?', at } })
  const row = {
    session: 'backend',
    reason: 'question',
    since: at,
    what: 'Shall I go ahead?',
    answer: 'agent-chat attach backend',
  }
  expect(await look()).toEqual(Array(count).fill(row))
})

test('a question to you, with the command that answers it', async () => {
  const { bus, look } = world()
  const ask = (body: string, more = {}) =>
    sendMessage(bus, { from: 'backend', to: 'human', kind: 'question', body, ...more })
  ask('Which port?')
  const rows = await look()
  expect(rows).toMatchObject([{ session: 'backend', reason: 'question', what: 'Which port?' }])
  expect(rows[0]?.answer).toMatch(/^agent-chat reply \w{5} "…"$/)
})

test('held messages are one row a chain', async () => {
  const { bus, look } = world()
  for (const body of ['one', 'two']) {
    const { message } = sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body })
    const mark = { ring: 'held', why: 'more than 4 messages', chain: CHAIN, at: message.timestamp }
    putMark(bus.home, 'frontend', message.id, mark as never)
  }
  const rows = await look()
  expect(rows).toMatchObject([
    {
      session: null,
      reason: 'held',
      what: '2 messages are held for @frontend: more than 4 messages',
    },
  ])
  expect(rows[0]?.answer).toMatch(/^agent-chat release \w+$/)
})

test('an agent is told what needs nobody but you: nothing', async () => {
  const { look } = world({ activity: 'asking' })
  expect(await look({ AGENT_CHAT_NAME: 'frontend' })).toEqual([])
})
