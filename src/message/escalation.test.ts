import { describe, expect, test } from 'vitest'
import { isCoded } from '../errors.ts'
import { someMessage } from '../testing/message.ts'
import { escalationBody, escalationFields, escalationOf } from './escalation.ts'
import { parseMessage } from './format.ts'
import { serializeMessage } from './serialize.ts'

/** The decision in a message, after its way through a file. */
function sent(number: number, options: string[]) {
  const message = someMessage({ extra: escalationFields(number, options) })
  return escalationOf(parseMessage(serializeMessage(message), message.id))
}

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (isCoded(error, 'USAGE')) return `${error.message} | ${error.hint}`
    throw error
  }
  return 'nothing was refused'
}

describe('a decision', () => {
  test.each([
    ['no options', []],
    ['words', ['drop it', 'keep it']],
    [
      'what YAML has a meaning for',
      ['yes', 'null', '1', '- x', 'a: b', '[x]', '{x}', '#', '"', "it's", '~', '!!js'],
    ],
    ['signs', ['ä → 漢字 🙂', '\u0000\u0085\u2028\ufeff', '\\n', '']],
  ])('with %s is the same after its way through a file', (_, options) => {
    expect(sent(7, options)).toMatchObject({ number: 7, options })
  })

  test('with as many options as it may have, as long as they may be, can still be read', () => {
    const options = Array.from({ length: 50 }, () => '\u0001'.repeat(200))
    expect(sent(999_999_999, options)?.options).toEqual(options)
  })

  test.each([
    ['51 options', Array.from({ length: 51 }, () => 'x'), 'a decision has 50 options at the most'],
    ['a long option', ['x', 'y'.repeat(201)], 'an option has 200 characters at the most'],
  ])('with %s is refused before it takes a message that cannot be read', (_, options, says) => {
    expect(refusal(() => escalationFields(1, options))).toBe(
      `${says} | put the background in --context`,
    )
  })

  test.each([[undefined], [null], ['x'], [''], ['1.5'], ['-1'], ['1234567890'], [['1']]])(
    'a field of %j makes none',
    (field) => {
      expect(
        escalationOf({ extra: field === undefined ? {} : { escalation: field } }),
      ).toBeUndefined()
    },
  )

  test('what stands among the options and is no text is passed over', () => {
    expect(
      escalationOf({ extra: { escalation: '3', options: ['a', null, ['b'], 'c'] } })?.options,
    ).toEqual(['a', 'c'])
    expect(escalationOf({ extra: { escalation: '3', options: 'a' } })?.options).toEqual([])
  })
})

describe('the answer to a decision', () => {
  const decision = sent(3, ['drop it', 'keep it'])

  test.each([
    ['2', { body: '2. keep it', choice: '2' }],
    ['#1', { body: '1. drop it', choice: '1' }],
    [' 2.\n', { body: '2. keep it', choice: '2' }],
    ['002', { body: '2. keep it', choice: '2' }],
    ['keep it', undefined],
    ['2 but later', undefined],
    ['2, 1', undefined],
    ['1234', undefined],
    ['-1', undefined],
  ])('%j', (body, chosen) => {
    expect(decision?.choose(body)).toEqual(chosen)
  })

  test.each(['0', '3', '999'])('%j is no option: refused, with the options', (body) => {
    expect(refusal(() => decision?.choose(body))).toBe(
      `no option ${body}: this decision has 2 | the options are: 1. drop it; 2. keep it`,
    )
  })

  test('a number is an answer in words where there are no options', () => {
    expect(sent(3, [])?.choose('2')).toBeUndefined()
  })
})

describe('the text of a decision', () => {
  test('has the question, what is known, the options by number, and what the session would do', () => {
    const request = {
      question: 'Drop it?',
      options: ['yes', 'no'],
      context: 'two clients',
      recommend: 'no',
    }
    expect(escalationBody(request)).toBe(
      'Drop it?\n\n**Context:** two clients\n\n1. yes\n2. no\n\n**Recommended:** no',
    )
  })

  test('is the question alone where that is all', () => {
    expect(escalationBody({ question: 'Drop it?', options: [] })).toBe('Drop it?')
  })
})
