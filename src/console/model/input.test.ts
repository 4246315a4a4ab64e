import { describe, expect, test } from 'vitest'
import { type Intent, parseInput } from './input.ts'

test.each<[string, Intent]>([
  ['', { do: 'nothing' }],
  ['  \n ', { do: 'nothing' }],
  ['hello there', { do: 'send', to: undefined, text: 'hello there' }],
  ['@backend  hello  there ', { do: 'send', to: '@backend', text: 'hello  there' }],
  ['@backend\nfirst\n  second', { do: 'send', to: '@backend', text: 'first\n  second' }],
  ['@backend', { do: 'address', to: '@backend' }],
  ['@backend /task move the list', { do: 'task', to: '@backend', text: 'move the list' }],
  ['@backend /ask is it\na string?', { do: 'ask', to: '@backend', text: 'is it\na string?' }],
  ['@backend /etc/hosts is broken', { do: 'send', to: '@backend', text: '/etc/hosts is broken' }],
  ['@backend /tasks are what?', { do: 'send', to: '@backend', text: '/tasks are what?' }],
  ['@all hello', { do: 'send', to: '@all', text: 'hello' }],
  ['#3 2', { do: 'reply', id: '3', text: '2' }],
  ['#3 keep it\nfor now', { do: 'reply', id: '3', text: 'keep it\nfor now' }],
  ['#3', { do: 'decision', number: 3 }],
  ['# a heading', { do: 'send', to: undefined, text: '# a heading' }],
  ['#3rd time', { do: 'send', to: undefined, text: '#3rd time' }],
  ['/reply 3 2', { do: 'reply', id: '3', text: '2' }],
  ['/reply 033912.12 it is a string', { do: 'reply', id: '033912.12', text: 'it is a string' }],
  ['/answer #3 2', { do: 'reply', id: '#3', text: '2' }],
  ['/task @backend move it', { do: 'task', to: '@backend', text: 'move it' }],
  ['/ask @backend why?', { do: 'ask', to: '@backend', text: 'why?' }],
  ['/who', { do: 'run', argv: ['who'] }],
  ['/tasks --open', { do: 'run', argv: ['tasks', '--open'] }],
  ['/history 5 --with @backend', { do: 'run', argv: ['history', '5', '--with', '@backend'] }],
  ['/search "two words" \'and\' one', { do: 'run', argv: ['search', 'two words', 'and', 'one'] }],
  ['/thread 033912', { do: 'run', argv: ['thread', '033912'] }],
  ['/gate', { do: 'run', argv: ['gate'] }],
  ['/pause', { do: 'run', argv: ['pause'] }],
  ['/resume', { do: 'run', argv: ['unpause'] }],
  ['/unpause', { do: 'run', argv: ['unpause'] }],
  ['/release k7f3m', { do: 'run', argv: ['release', 'k7f3m'] }],
  ['/stop @backend', { do: 'run', argv: ['stop', '@backend'] }],
  ['/resume 033912', { do: 'run', argv: ['release', '033912'] }],
  ['/inbox', { do: 'inbox' }],
  ['/help', { do: 'help' }],
  ['/?', { do: 'help' }],
  ['/quit', { do: 'quit' }],
  ['/exit', { do: 'quit' }],
])('%j', (input, intent) => {
  expect(parseInput(input)).toEqual(intent)
})

describe('a number alone, while decisions wait', () => {
  test.each([
    ['3', /3 is not sent.* decision 5/, '#5 3; to send the number: @name 3'],
    ['7 2', /2 is not sent.* decision 7/, '#7 2; to send the number: @name 7 2'],
  ])('%s is nobody’s message', (input, why, hint) => {
    expect(parseInput(input, [5, 7])).toEqual({
      do: 'wrong',
      why: expect.stringMatching(why),
      hint: expect.stringContaining(hint),
    })
  })

  test.each(['3 apples', '8 2', '12:30'])('%s is a message', (text) => {
    expect(parseInput(text, [5, 7])).toEqual({ do: 'send', to: undefined, text })
  })

  test('is a message where none waits', () =>
    expect(parseInput('3')).toEqual({ do: 'send', to: undefined, text: '3' }))
})

describe('what cannot be meant', () => {
  test.each([
    ['exit', /exit alone would be a message/, /^did you mean \/quit\? To send it: @name exit$/],
    ['Help', /alone would be a message/, /\/help/],
    ['/wo', /no command \/wo/, /\/who/],
    ['/etc/hosts is broken', /no command \/etc\/hosts/, /@name \/etc\/hosts/],
    ['/', /no command \//, /help/],
    ['@backend /task', /what\?/, /after the command/],
    ['/ask @backend', /what\?/, /after the command/],
    ['/task move it', /no recipient/, /@/],
    ['/reply', /reply needs an id and text/, /Tab/],
    ['/reply 033912', /reply needs an id and text/, /Tab/],
  ])('%s', (input, why, hint) => {
    expect(parseInput(input)).toMatchObject({
      do: 'wrong',
      why: expect.stringMatching(why),
      hint: expect.stringMatching(hint),
    })
  })

  test('a command of this program, and one that the room does not run', () => {
    expect(parseInput('/prune')).toMatchObject({ do: 'wrong' })
    expect(parseInput('/stats')).toEqual({ do: 'run', argv: ['stats'] })
  })
})
