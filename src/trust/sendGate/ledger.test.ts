import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fixedClock } from '../../testing/clock.ts'
import { tempBus } from '../../testing/home.ts'
import {
  type Approval,
  approvalFor,
  changeLedger,
  type Ledger,
  readLedger,
  recentlySent,
  spend,
} from './ledger.ts'

const NOW = Date.parse('2026-11-21T03:39:12.123Z')
const at = new Date(NOW).toISOString()
const later = new Date(NOW + 1).toISOString()
const ledger = (fields: Partial<Ledger> = {}): Ledger => ({
  ...{ approvals: {}, questions: {}, answers: {}, sent: [], toHuman: [] },
  ...fields,
})

describe('an approval', () => {
  const ROWS: [approval: Approval, holds: boolean][] = [
    [{ left: 1, until: null, at }, true],
    [{ left: 0, until: null, at }, false],
    [{ left: null, until: null, at }, true],
    [{ left: null, until: later, at }, true],
    [{ left: null, until: at, at }, false],
    [{ left: 5, until: at, at }, false],
    [{ left: 0, until: later, at }, false],
  ]
  test.each(ROWS)('%j holds: %s', (approval, holds) => {
    const given = ledger({ approvals: { backend: approval } })
    expect(approvalFor(given, 'backend', NOW)).toEqual(holds ? approval : undefined)
    expect(approvalFor(given, 'docs', NOW)).toBeUndefined()
  })

  test('is none for names that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(approvalFor(ledger(), name, NOW)).toBeUndefined()
      expect(spend(ledger(), name)).toEqual(ledger())
    }
  })

  test('is spent one by one, where it is counted', () => {
    const counted = ledger({ approvals: { backend: { left: 2, until: null, at } } })
    expect(spend(spend(counted, 'backend'), 'backend').approvals.backend?.left).toBe(0)
    const timed = ledger({ approvals: { backend: { left: null, until: later, at } } })
    expect(spend(timed, 'backend')).toEqual(timed)
  })
})

test('ten minutes are counted back from now, and what a clock put in the future is not counted', () => {
  const sent = [NOW - 600_001, NOW - 600_000, NOW - 599_999, NOW, NOW + 1]
  expect(recentlySent(ledger({ sent }), NOW)).toEqual([NOW - 599_999, NOW])
  expect(recentlySent(ledger({ sent }), NOW, true)).toEqual([])
  expect(recentlySent(ledger({ toHuman: sent }), NOW, true)).toEqual([NOW - 599_999, NOW])
})

describe('the file of a ledger', () => {
  test('keeps what was changed, alone in its directory', () => {
    const bus = tempBus(['frontend'], fixedClock(at))
    changeLedger(bus, 'frontend', (before) => ({ ...before, sent: [NOW] }))
    changeLedger(bus, 'frontend', (before) => ({
      ...before,
      questions: { backend: { id: 'q', at } },
    }))
    expect(readLedger(bus.home, 'frontend')).toEqual(
      ledger({ sent: [NOW], questions: { backend: { id: 'q', at } } }),
    )
    expect(readLedger(bus.home, 'backend')).toEqual(ledger())
    expect(readdirSync(bus.home.gates)).toEqual(['frontend.json'])
  })

  test.each(['', '{"approvals": {', 'null', '7', '"x"'])('that is %j opens nothing', (text) => {
    const bus = tempBus(['frontend'])
    mkdirSync(bus.home.gates, { recursive: true })
    writeFileSync(bus.home.gate('frontend'), text)
    expect(approvalFor(readLedger(bus.home, 'frontend'), 'backend', NOW)).toBeUndefined()
    expect(changeLedger(bus, 'frontend', (before) => ({ ...before, sent: [NOW] })).sent).toEqual([
      NOW,
    ])
  })
})
