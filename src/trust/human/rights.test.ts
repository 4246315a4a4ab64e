import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Person } from './person.ts'
import { PLACES, rightOf, rightsOf, VERBS_OF_YOURS, type Verb } from './rights.ts'

const why = ''
const EVERYBODY: Person[] = [
  { is: 'you', by: 'terminal' },
  { is: 'you', by: 'popup' },
  { is: 'you', by: 'panel' },
  { is: 'you', by: 'web' },
  { is: 'joined', name: 'backend', own: true, why },
  { is: 'joined', name: 'backend', own: false, why },
  { is: 'agent', why },
  { is: 'nobody', unit: false, why },
  { is: 'nobody', unit: true, why },
]

test.each(VERBS_OF_YOURS)('%s has a cell for each place, and each is asked', (verb) => {
  expect(rightsOf(verb)).toHaveLength(PLACES.length)
  expect(EVERYBODY.map((person) => rightOf(verb, person))).toEqual(rightsOf(verb))
  expect(rightsOf(verb)[0]).toBe('yes')
})

test.each<Verb>([
  'approve',
  'allow',
  'resume',
  'start --team',
  'claim --take',
  'unpause',
  'release',
  'answer to a decision',
  'schedule',
  'up',
  'agents allow',
  'link',
  'bridge',
])('%s opens: nobody but you, or an agent in your turn', (verb) => {
  const [, , , , , ...others] = rightsOf(verb)
  expect(others.filter((right) => right === 'yes')).toEqual([])
  expect(rightsOf(verb)[1]).toBe('asks')
})

test.each<Verb>(['pause', 'stop', 'down', 'unlink', 'leave of another'])(
  '%s stops: all but an agent outside your turn',
  (verb) => {
    const [joined, stranger] = rightsOf(verb).slice(5, 7)
    expect([joined, stranger]).toEqual(['no', verb === 'pause' ? 'yes' : 'no'])
    expect(rightsOf(verb).filter((right) => right !== 'yes')).toHaveLength(verb === 'pause' ? 1 : 2)
  },
)

describe('docs/guardrails.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/guardrails.md'), 'utf8')
  const rows = page.split('\n').flatMap((line) => {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    return cells.length === PLACES.length + 1 ? [cells] : []
  })

  test('names the places in their order', () => {
    expect(rows[0]?.slice(1)).toEqual(PLACES)
  })

  test('says of each command what the code does', () => {
    const said = rows
      .slice(2)
      .flatMap(([verbs = '', ...cells]) =>
        [...verbs.matchAll(/`([^`]+)`( of another)?|answer to a decision/g)].map(
          ([all, verb, of = '']) => [
            verb === undefined ? all : `${verb}${of}`,
            cells.map((cell) => (cell === '[y/N]' ? 'asks' : cell)),
          ],
        ),
      )
    expect(Object.fromEntries(said)).toEqual(
      Object.fromEntries(VERBS_OF_YOURS.map((verb) => [verb, rightsOf(verb)])),
    )
  })
})
