import { expect, test } from 'vitest'
import { countAnswers, type Message } from './answers.mjs'

const ASK: Message = {
  ...{ id: '1-from-human', from: 'human', kind: 'question', answers: undefined },
  ...{ failed: false, body: 'LATER SAY w.1' },
}
const ANSWER: Message = {
  ...ASK,
  ...{ id: '2-from-w', from: 'w', kind: 'reply', answers: ASK.id, body: 'w.1' },
}
const asked = new Map([['w.1', 'w']])
const wrongOf = (messages: Message[], delivered = ['2-from-w.md']) =>
  countAnswers(messages, asked, delivered).wrong.join()

test('one right answer that was delivered once is fine', () => {
  expect(countAnswers([ASK, ANSWER], asked, ['2-from-w.md'])).toMatchObject({ once: 1, wrong: [] })
})

test.each([
  ['an ask that was never sent', [ANSWER], undefined, 'was never sent'],
  ['no answer', [ASK], undefined, 'has no answer'],
  ['two answers', [ASK, ANSWER, { ...ANSWER, id: '3-from-w' }], undefined, 'has 2 answers'],
  ['the answer of another one', [ASK, { ...ANSWER, from: 'x' }], undefined, '@x has answered'],
  ['the answer to another ask', [ASK, { ...ANSWER, body: 'w.2' }], undefined, 'the answer is w.2'],
  ['an answer in no inbox', [ASK, ANSWER], [], 'delivered 0 times'],
  ['one that is in two', [ASK, ANSWER], ['2-from-w.md', '2-from-w.md'], 'delivered 2 times'],
])('%s is not', (_, messages, delivered, says) => {
  expect(wrongOf(messages, delivered)).toContain(says)
})

test('an answer that gave up is counted as such', () => {
  const judged = countAnswers([ASK, { ...ANSWER, failed: true }], asked, ['2-from-w.md'])
  expect(judged).toMatchObject({ once: 1, gaveUp: 1 })
})
