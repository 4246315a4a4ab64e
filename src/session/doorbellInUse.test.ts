import { expect, test } from 'vitest'
import type { Session } from '../bus/names/registry.ts'
import { type DoorbellFacts, doorbellInUse } from './doorbellInUse.ts'
import { noBell, ownBell } from './noBell.ts'

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
  [{ ...ALL, choice: 'auto', own: null }, 'native'],
  [{ ...ALL, choice: 'auto', native: false, own: null }, null],
  [{ ...ALL, choice: 'auto', native: false, own: 'input' }, 'input'],
  [{ ...ALL, choice: 'auto', native: false, own: 'queue', watcher: false }, null],
  [{ ...ALL, choice: 'tmux', native: false, own: null }, 'tmux'],
]

test.each(ROWS)('%j: %s', (facts, inUse) => expect(doorbellInUse(facts)).toBe(inUse))

const session = (program: string, server?: string) =>
  ({ name: 'bob', doorbell: 'auto', program, ...(server ? { server } : {}) }) as Session
const told = (native: boolean) => ({ native })

test.each([
  ['claude', undefined, undefined, undefined],
  ['gemini', undefined, undefined, undefined],
  ['codex', '/s', undefined, undefined],
  ['codex', undefined, told(true), /Codex was started without a server/],
  ['pi', undefined, told(true), undefined],
  ['pi', undefined, undefined, /pi has no extension .*setup --agent pi/],
  ['opencode', undefined, told(false), /OpenCode has no extension/],
  ['qwen', '/f', told(false), undefined],
  ['qwen', '/f', undefined, /hooks of Qwen Code have told nothing/],
  ['qwen', undefined, told(false), /without a file of prompts/],
])('%s with %s, told %j: no bell %s', (program, server, state, why) => {
  const { no_bell } = noBell(session(program, server), state)
  if (why === undefined) expect(no_bell).toBeUndefined()
  else expect(no_bell).toMatch(why)
  // What would harm is no second best.
  if (why !== undefined) expect(ownBell(program, no_bell)).toBeNull()
})

test('another doorbell that the user has chosen is theirs', () => {
  expect(noBell({ ...session('pi'), doorbell: 'tmux' }, undefined)).toEqual({})
})
