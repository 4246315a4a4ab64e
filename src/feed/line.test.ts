import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { putMark } from '../bus/mail/marks.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { lineNow } from '../session/needsLine.ts'
import { tempBus } from '../testing/home.ts'
import { lineKeeper } from './line.ts'
import { lineOf, type NeedRow } from './need.ts'

const row = (reason: NeedRow['reason'], session: string | null = 'frontend'): NeedRow => ({
  ...{ session, reason, since: '2026-11-27T14:02:00.000Z' },
  ...{ what: '#(touch /tmp/x) \x1b[31m', answer: 'agent-chat attach frontend' },
})

test.each<[rows: NeedRow[], line: string]>([
  [[], ''],
  [[row('permission')], '1 needs you · @frontend asks permission'],
  [[row('permission'), row('held', null)], '2 need you · @frontend asks permission'],
  [[row('approval', 'tester')], '1 needs you · @tester asks permission'],
  [[row('question', 'api-2')], '1 needs you · @api-2 has a question'],
  [[row('question', 'backend@laptop')], '1 needs you · @backend@laptop has a question'],
  [
    [row('decision'), row('failed', 'x'), row('failed', 'y')],
    '3 need you · @frontend needs a decision',
  ],
  [[row('failed', 'worker')], '1 needs you · @worker failed'],
  [[row('held', null)], '1 needs you · messages are held'],
  // No name: nothing of it may be in a status line.
  [[row('question', '#[fg=red]x')], '1 needs you · has a question'],
  [[row('question', '#(id)')], '1 needs you · has a question'],
  [[row('question', 'a\x1b]0;x\x07')], '1 needs you · has a question'],
  [[row('question', 'a\nb')], '1 needs you · has a question'],
  [[row('question', '%H')], '1 needs you · has a question'],
  [[row('question', '\u202ex')], '1 needs you · has a question'],
  [[row('question', '')], '1 needs you · has a question'],
])('the line of %j', (rows, line) => {
  expect(lineOf(rows)).toBe(line)
})

/** A home in which backend, this process, stands at a dialog, and asks besides. */
function asking(activity = 'asking') {
  const bus = tempBus(['backend', 'frontend'])
  const agent = bus.processes.self()
  const at = new Date().toISOString()
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({ backend: { name: 'backend', pane: null, joined_at: at, agent } }),
  )
  mkdirSync(bus.home.states, { recursive: true })
  const state = { activity, since: at, session_id: null, agent, native: true, vim: false }
  writeFileSync(bus.home.state('backend'), JSON.stringify({ ...state, gate: 'enforce' }))
  const nowhere = { run: async () => undefined, runHere: async () => undefined } as never
  const keep = lineKeeper({ bus: () => bus, env: { AGENT_CHAT_NOTIFY: 'off' }, tmux: nowhere })
  return { bus, keep: (watcher = agent) => keep(watcher) }
}

test('the line is kept in a file of your own, which is written only when it changes', async () => {
  const { bus, keep } = asking()
  await keep()
  expect(lineNow(bus)).toBe('1 needs you · @backend asks permission')
  const first = statSync(bus.home.needsLine)
  expect(first.mode & 0o777).toBe(0o600)
  await keep()
  expect(statSync(bus.home.needsLine).ino).toBe(first.ino)
  sendMessage(bus, { from: 'backend', to: 'human', kind: 'question', body: 'Which port?' })
  await keep()
  expect(lineNow(bus)).toBe('2 need you · @backend asks permission')
})

test('nothing is left of it when nobody needs you any more', async () => {
  const { bus, keep } = asking('idle')
  await keep()
  expect(lineNow(bus)).toBe('')
  expect(readFileSync(bus.home.needsLine, 'utf8')).toMatch(/^\n\d+\n/)
})

test('held messages count once a chain, as everywhere', async () => {
  const { bus, keep } = asking('idle')
  for (const body of ['one', 'two']) {
    const { message } = sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body })
    const chain = '20261121T033912.123456Z-from-human'
    const mark = { ring: 'held', why: 'too many', chain, at: message.timestamp }
    putMark(bus.home, 'frontend', message.id, mark as never)
  }
  await keep()
  expect(lineNow(bus)).toBe('1 needs you · messages are held')
})

test('the line of a watcher that runs no more is not believed', async () => {
  const { bus, keep } = asking()
  await keep({ ...bus.processes.self(), started: 'another boot-1' })
  expect(lineNow(bus)).toBe('')
})
