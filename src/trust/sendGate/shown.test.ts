import { expect, test } from 'vitest'
import { sendMessage } from '../../bus/mail/send.ts'
import { readReads } from '../../session/reads.ts'
import { tempBus } from '../../testing/home.ts'
import { changeLedger, readLedger } from './ledger.ts'
import { noteShown } from './shown.ts'

test('a message that is shown again spends no second approval, and keeps its own', () => {
  const bus = tempBus(['backend', 'frontend'])
  const note = { from: 'backend', to: 'frontend', kind: 'note', body: 'ready' }
  const [first, second] = [note, note].map((draft) => sendMessage(bus, draft).message)
  if (!first || !second) throw new Error('not sent')
  const backend = { left: 1, until: null, at: '2026-01-01T00:00:00Z' }
  changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, approvals: { backend } }))
  const approved = () =>
    Object.fromEntries(readReads(bus.home, 'frontend').map((read) => [read.id, read.approved]))
  const left = () => readLedger(bus.home, 'frontend').approvals.backend?.left

  noteShown(bus, 'frontend', [first])
  expect([left(), approved()]).toEqual([0, { [first.id]: true }])
  noteShown(bus, 'frontend', [first, second])
  expect([left(), approved()]).toEqual([0, { [first.id]: true, [second.id]: false }])
  changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, approvals: { backend } }))
  noteShown(bus, 'frontend', [first])
  expect(left()).toBe(1)
})
