import { expect, test } from 'vitest'
import { type DoorbellFacts, doorbellInUse } from './doorbellInUse.ts'

const NONE = { native: false, watcher: false, pane: false }
const ALL = { native: true, watcher: true, pane: true }

const ROWS: [facts: DoorbellFacts, inUse: string | null][] = [
  [{ ...ALL, choice: 'auto' }, 'native'],
  [{ ...NONE, choice: 'auto', native: true }, 'native'],
  [{ ...ALL, choice: 'auto', native: false }, 'tmux'],
  [{ ...NONE, choice: 'auto', pane: true }, null],
  [{ ...NONE, choice: 'auto', watcher: true }, null],
  [{ ...NONE, choice: 'native', native: true }, 'native'],
  [{ ...ALL, choice: 'native', native: false }, null],
  [{ ...ALL, choice: 'tmux' }, 'tmux'],
  [{ ...ALL, choice: 'tmux', watcher: false }, null],
  [{ ...ALL, choice: 'stdout' }, 'stdout'],
  [{ ...ALL, choice: 'stdout', watcher: false }, null],
  [{ ...ALL, choice: 'gong' }, null],
]

test.each(ROWS)('%j: %s', (facts, inUse) => expect(doorbellInUse(facts)).toBe(inUse))
