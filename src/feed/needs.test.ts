import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { putMark } from '../bus/mail/marks.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { escalationBody, escalationFields } from '../message/escalation.ts'
import { systemProcesses } from '../system/processes.ts'
import { tempBus } from '../testing/home.ts'
import { needsNow } from './needs.ts'
import { overviewOf } from './overview.ts'

const CHAIN = '20261121T033912.123456Z-from-human'
const LONG = `Shall I ${'drop the column and '.repeat(12)}go on?`
const nowhere = { run: async () => undefined, runHere: async () => undefined } as never

/** A home in which backend is this process, in such a state. */
function world(state: Record<string, unknown> = {}) {
  const bus = tempBus(['backend', 'frontend'])
  const me = systemProcesses().self()
  const agent = { pid: me.pid, started: me.started }
  const at = new Date().toISOString()
  const session = (name: string) => ({ name, pane: '%1', joined_at: at, agent })
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

test('what the dialog asks is in its row, and where a session without a pane is answered', async () => {
  const here = world({ activity: 'asking', wants: 'wants to run: npm install' })
  expect(await here.look()).toMatchObject([{ what: 'it wants to run: npm install' }])
  const sessions = JSON.parse(readFileSync(here.bus.home.sessions, 'utf8'))
  const backend = { ...sessions.backend, pane: null, cwd: '/src/api' }
  writeFileSync(here.bus.home.sessions, JSON.stringify({ backend }))
  expect(await here.look()).toMatchObject([{ answer: 'in its own terminal, in /src/api' }])
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

test.each([
  ['a short one', 'Drop it?', ['drop it', 'keep it'], 'Drop it?', ''],
  ['one with its background', 'Drop it?\n\n**Context:** 14 MB.', ['drop it'], 'Drop it?', '14 MB.'],
  ['a long decision', LONG, ['drop it', 'keep it'], LONG, ''],
  ['a long decision of two lines', `${LONG}\nAnd why?`, ['yes'], `${LONG} And why?`, ''],
  ['a long question', LONG, [], LONG, ''],
  ['several lines', 'Drop it?\nIt is big.', [], 'Drop it?', 'Drop it?\nIt is big.'],
])('what is asked is there whole: %s', async (_, body, options, title, text) => {
  const { bus, look } = world()
  const extra = options.length === 0 ? {} : escalationFields(1, options)
  const line = body.replaceAll('\n', ' ')
  const begin = body.length > 80 ? `${line.slice(0, 79)}…` : body.split('\n')[0]
  const subject = options.length === 0 ? {} : { subject: `decision 1: ${begin}` }
  sendMessage(bus, { from: 'backend', to: 'human', kind: 'question', body, ...subject, extra })
  expect(needsNow(bus, [])).toMatchObject([{ title, text }])
  expect((await look())[0]?.what).toContain(title)
})

test('a call of a worker that waits for your yes is there whole', async () => {
  const { bus, look } = world()
  const command = `deploy ${'--with=more '.repeat(30)}--now`
  const options = ['Yes, this one call', 'No']
  const context = `In /src/api:\n\n    Bash:\n    ${command}`
  const question = `May I use Bash: ${command}`
  sendMessage(bus, {
    ...{ from: 'backend', to: 'human', kind: 'question' },
    subject: `decision 1: ${question.slice(0, 79)}…`,
    body: escalationBody({ question, options, context }),
    extra: { ...escalationFields(1, options), permission: 'x' },
  })
  expect(await look()).toMatchObject([
    {
      ...{ session: 'backend', reason: 'approval', answer: 'agent-chat reply 1 <number>' },
      what: `${question}  1. Yes, this one call  2. No`,
    },
  ])
  expect(needsNow(bus, [])).toMatchObject([{ text: context }])
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
