import { describe, expect, test } from 'vitest'
import { type Cause, disowned, isOpen, type Turn, turnAfterPrompt } from './turn.ts'

const THEN = '2026-11-21T03:39:12.123Z'
const NOW = '2026-11-21T03:40:00.000Z'

const human: Turn = {
  id: 'one',
  began: 'human',
  at: THEN,
  opened: null,
  chain: 'c1',
  work: 2,
  asked: [],
}
const bell: Turn = {
  ...human,
  began: 'doorbell',
  chain: null,
  asked: [{ call: 'x', agent: null, at: THEN }],
}
const spoken: Turn = { ...bell, opened: 'prompt', chain: 'c1' }
const allowed: Turn = { ...bell, granted: ['commands'], asked: [] }
const nobody: Turn = { ...human, began: 'other', chain: null }
const TURNS = { none: undefined, human, bell, spoken, allowed, nobody }

type Row = [
  before: keyof typeof TURNS,
  cause: Cause,
  where: 'next' | 'inside',
  began: Cause,
  open: boolean,
]

/** Whose turn it is after a prompt, and whether the human has a word in it. */
const TABLE: Row[] = [
  ['none', 'human', 'next', 'human', true],
  ['none', 'doorbell', 'next', 'doorbell', false],
  ['none', 'other', 'next', 'other', false],
  ['human', 'human', 'next', 'human', true],
  ['human', 'doorbell', 'next', 'doorbell', false],
  ['human', 'other', 'next', 'human', true],
  ['human', 'human', 'inside', 'human', true],
  ['human', 'doorbell', 'inside', 'human', true],
  ['human', 'other', 'inside', 'human', true],
  ['bell', 'human', 'next', 'human', true],
  ['bell', 'doorbell', 'next', 'doorbell', false],
  ['bell', 'other', 'next', 'doorbell', false],
  ['bell', 'human', 'inside', 'doorbell', true],
  ['bell', 'doorbell', 'inside', 'doorbell', false],
  ['bell', 'other', 'inside', 'doorbell', false],
  ['spoken', 'doorbell', 'next', 'doorbell', false],
  ['spoken', 'doorbell', 'inside', 'doorbell', true],
  ['spoken', 'other', 'next', 'doorbell', true],
  ['allowed', 'doorbell', 'next', 'doorbell', false],
  ['allowed', 'doorbell', 'inside', 'doorbell', true],
  ['allowed', 'other', 'next', 'doorbell', true],
  ['allowed', 'human', 'inside', 'doorbell', true],
  ['nobody', 'human', 'inside', 'other', true],
  ['nobody', 'human', 'next', 'human', true],
  ['nobody', 'other', 'next', 'other', false],
]

const prompt = (cause: Cause, id: string | null, busy = true) => ({
  cause,
  id,
  at: NOW,
  busy,
  chain: 'c2',
})

describe('after a prompt', () => {
  test.each(TABLE)(
    '%s, then %s, %s: the turn of %s, open %s',
    (before, cause, where, began, open) => {
      const turn = turnAfterPrompt(TURNS[before], prompt(cause, where === 'next' ? 'two' : 'one'))
      expect(turn).toMatchObject({ began, id: where === 'next' ? 'two' : 'one' })
      expect(isOpen(turn)).toBe(open)
    },
  )

  test('a turn that begins has no work, no question to the human, and a chain where it is the human’s', () => {
    for (const before of Object.values(TURNS)) {
      const fresh = { id: 'two', at: NOW, opened: null, work: 0, asked: [] }
      expect(turnAfterPrompt(before, prompt('human', 'two'))).toEqual({
        ...fresh,
        began: 'human',
        chain: 'c2',
      })
      expect(turnAfterPrompt(before, prompt('doorbell', 'two'))).toEqual({
        ...fresh,
        began: 'doorbell',
        chain: null,
      })
    }
  })

  test('words in the middle begin a chain, and leave the work and the beginning of the turn', () => {
    expect(turnAfterPrompt(bell, prompt('human', 'one'))).toEqual({
      ...bell,
      opened: 'prompt',
      chain: 'c2',
    })
    expect(turnAfterPrompt(human, prompt('human', 'one'))).toEqual({ ...human, chain: 'c2' })
  })

  test('a host that names no prompts is taken at whether the session was busy', () => {
    expect(turnAfterPrompt(bell, prompt('human', null, true))).toMatchObject({
      began: 'doorbell',
      opened: 'prompt',
    })
    expect(turnAfterPrompt(bell, prompt('human', null, false))).toMatchObject({ began: 'human' })
    expect(turnAfterPrompt(human, prompt('doorbell', null, true))).toMatchObject({ began: 'human' })
    expect(turnAfterPrompt(human, prompt('doorbell', null, false))).toMatchObject({
      began: 'doorbell',
    })
    expect(turnAfterPrompt(human, prompt('other', null, false))).toEqual({ ...human, id: null })
  })

  test('a background task of the human’s turn is not looked up again', () => {
    expect(turnAfterPrompt(human, prompt('other', 'two'))).toEqual({
      ...human,
      id: 'two',
      checked: 'two',
    })
  })
})

test('a turn that turns out to be nobody’s is closed, and is about what was read since it began', () => {
  const turn = disowned({ ...human, opened: 'prompt' }, 'one')
  expect(turn).toMatchObject({
    began: 'other',
    opened: null,
    chain: null,
    work: 0,
    at: THEN,
    checked: 'one',
  })
  expect(isOpen(turn)).toBe(false)
  expect(isOpen(turnAfterPrompt(turn, prompt('human', 'one')))).toBe(true)
})

test('a session of which no turn is known is not judged', () =>
  expect(isOpen(undefined)).toBe(true))

test('a turn of which the file tells too little has no word of the human’s', () => {
  for (const garbage of [{}, { began: 'doorbell' }, { asked: [] }])
    expect(isOpen(garbage as unknown as Turn)).toBe(false)
})
