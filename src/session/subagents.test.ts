import { describe, expect, test } from 'vitest'
import type { SessionState } from './state.ts'
import { changeTurn, turnOf, withBorn, withStarted, withStarting, withTurn } from './subagents.ts'
import { hasWord, type Turn } from './turn.ts'

const at = (minute: number) => `2026-11-21T03:${String(minute).padStart(2, '0')}:00.000Z`

function turn(minute: number, began: Turn['began']): Turn {
  return { id: null, began, at: at(minute), opened: null, chain: null, work: 0, asked: [] }
}

const NONE: SessionState = {
  ...{ activity: 'busy', since: at(0), session_id: null, agent: null },
  ...{ native: true, vim: false, gate: 'enforce' },
}

type Step =
  | [turn: 'human' | 'doorbell']
  | [call: 'calls', by: string | null, call: string]
  | [born: 'born', id: string]
  | [started: 'started', call: string, id: string]

/** The state after these steps, a minute apart. */
function run(...steps: Step[]): SessionState {
  return steps.reduce((state, step, minute) => {
    if (step[0] === 'calls')
      return withStarting(state, { agent: step[1], call: step[2], at: at(minute) })
    if (step[0] === 'born') return withBorn(state, step[1], at(minute))
    if (step[0] === 'started') return withStarted(state, step[1], step[2])
    return withTurn(state, turn(minute, step[0]))
  }, NONE)
}

const isOpen = (state: SessionState, id: string) => hasWord(turnOf(state, id))

describe('a subagent is judged by the turn in which it was born', () => {
  const CASES: [what: string, steps: Step[], open: boolean][] = [
    ['a doorbell’s', [['doorbell'], ['calls', null, 'c'], ['born', 'a']], false],
    [
      'a doorbell’s, when the human types something else',
      [['doorbell'], ['calls', null, 'c'], ['born', 'a'], ['started', 'c', 'a'], ['human']],
      false,
    ],
    [
      'the human’s own, in a doorbell’s turn',
      [['human'], ['calls', null, 'c'], ['born', 'a'], ['started', 'c', 'a'], ['doorbell']],
      true,
    ],
    [
      'the subagent of a doorbell’s subagent, in the human’s turn',
      [['doorbell'], ['born', 'p'], ['human'], ['calls', 'p', 'c'], ['born', 'a']],
      false,
    ],
    [
      'the subagent of the human’s subagent, in a doorbell’s turn',
      [
        ['human'],
        ['calls', null, 'c'],
        ['born', 'p'],
        ['doorbell'],
        ['calls', 'p', 'd'],
        ['born', 'a'],
        ['started', 'd', 'a'],
      ],
      true,
    ],
    [
      'one of which two turns may have started it',
      [
        ['doorbell'],
        ['born', 'p'],
        ['human'],
        ['calls', 'p', 'c'],
        ['calls', null, 'd'],
        ['born', 'a'],
      ],
      false,
    ],
    [
      'the human’s of these two, once the host has told',
      [
        ['doorbell'],
        ['born', 'p'],
        ['human'],
        ['calls', 'p', 'c'],
        ['calls', null, 'd'],
        ['born', 'a'],
        ['started', 'd', 'a'],
      ],
      true,
    ],
    [
      'a doorbell’s that goes on in the human’s turn, because the human’s agent wrote to it',
      [
        ['doorbell'],
        ['born', 'a'],
        ['human'],
        ['calls', null, 'c'],
        ['born', 'a'],
        ['started', 'c', 'a'],
      ],
      false,
    ],
    [
      'the human’s that goes on in a doorbell’s turn, because a subagent of its own has ended',
      [
        ['human'],
        ['calls', null, 'c'],
        ['born', 'a'],
        ['started', 'c', 'a'],
        ['doorbell'],
        ['born', 'a'],
      ],
      true,
    ],
    [
      'the human’s that a doorbell’s turn sets going again',
      [
        ['human'],
        ['calls', null, 'c'],
        ['born', 'a'],
        ['doorbell'],
        ['calls', null, 'd'],
        ['born', 'a'],
      ],
      false,
    ],
    ['one that nothing told of, in a session of the human’s', [['human']], true],
    [
      'one that nothing told of, where a closed turn has started some',
      [['doorbell'], ['calls', null, 'c'], ['human']],
      false,
    ],
    [
      'the human’s, after a call of the doorbell’s turn that was refused',
      [['doorbell'], ['calls', null, 'c'], ['human'], ['calls', null, 'd'], ['born', 'a']],
      true,
    ],
  ]
  test.each(CASES)('%s', (_, steps, open) => {
    expect(isOpen(run(...steps), 'a')).toBe(open)
  })

  test('and by what the human has let go on there', () => {
    const state = run(['doorbell'], ['born', 'a'], ['doorbell'], ['born', 'b'])
    const next = changeTurn(state, turnOf(state, 'a')?.at, (one) => ({
      ...one,
      granted: ['commands'],
    }))
    expect(turnOf(next, 'a')).toMatchObject({ at: at(0), until: at(2), granted: ['commands'] })
    expect(turnOf(next, 'b')?.granted).toBeUndefined()
    expect(turnOf(next, undefined)?.granted).toBeUndefined()
  })
})

test('what is kept is bounded, and what a closed turn has started is never taken for the human’s', () => {
  let state = run(['doorbell'], ['calls', null, 'c'], ['born', 'first'])
  for (let minute = 3; minute < 50; minute += 1) {
    state = withTurn(state, turn(minute, minute % 2 === 0 ? 'human' : 'doorbell'))
    state = withStarting(state, { call: `c${minute}`, agent: null, at: at(minute) })
    for (let n = 0; n < 9; n += 1) state = withBorn(state, `a${minute}-${n}`, at(minute))
  }
  state = withTurn(state, turn(50, 'human'))
  expect(state.past).toHaveLength(20)
  expect(JSON.stringify(state).length).toBeLessThan(20_000)
  expect(isOpen(state, 'first')).toBe(false)
  expect(isOpen(state, 'a3-0')).toBe(false)
  let many = run(['doorbell'])
  for (let n = 0; n < 500; n += 1) many = withBorn(many, `b${n}`, at(1))
  expect(isOpen(withTurn(many, turn(2, 'human')), 'b0')).toBe(false)
})
