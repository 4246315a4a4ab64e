import { expect, test } from 'vitest'
import { KEPT_QUESTIONS, KEPT_REPORTS, QUESTIONS, REPORTS } from '../testing/turnEndings.ts'
import { closingQuestion } from './closingQuestion.ts'

const asks = (text: string) => closingQuestion(text) !== undefined

test.each(QUESTIONS)('asks: %s', (text) => expect(asks(text)).toBe(true))

test.each(REPORTS)('reports: %s', (text) => expect(asks(text)).toBe(false))

test('of endings that the rules were not written by, most questions and few reports', () => {
  expect(KEPT_QUESTIONS.filter(asks).length).toBeGreaterThanOrEqual(0.8 * KEPT_QUESTIONS.length)
  expect(KEPT_REPORTS.filter(asks).length).toBeLessThanOrEqual(0.05 * KEPT_REPORTS.length)
})
