import { expect, test } from 'vitest'
import { isForeign, promptKey, type Witness } from './witness.ts'

const NOW = 1_000_000
const seen = (fields: Partial<Witness> = {}): Witness => ({
  ...{ kind: 'plugin', key: promptKey('do it'), at: NOW, typed: 0 },
  ...fields,
})

const CASES: [name: string, witness: Witness | undefined, prompt: string, foreign: boolean][] = [
  ['a prompt of a plugin', seen(), 'do it', true],
  ['the same with white space around', seen(), ' do it\n', true],
  ['one of another session', seen({ kind: 'peer' }), 'do it', true],
  ['one of a schedule', seen({ kind: 'scheduled-trigger' }), 'do it', true],
  ['what a person entered', seen({ kind: 'composer' }), 'do it', false],
  ['what a person sent from a phone', seen({ kind: 'bridge' }), 'do it', false],
  ['an origin that nobody knows', seen({ kind: 'unclassified' }), 'do it', false],
  ['another prompt', seen(), 'do that', false],
  ['a note that is old', seen({ at: NOW - 61_000 }), 'do it', false],
  ['no note', undefined, 'do it', false],
]

test.each(CASES)('%s', (_, witness, prompt, foreign) => {
  expect(isForeign(witness, prompt, NOW)).toBe(foreign)
})
