import { expect, test } from 'vitest'
import { acknowledges } from './acknowledges.ts'

test.each([
  'Thanks!',
  'Thank you very much, @backend.',
  'ok',
  'Great work, thanks a lot for the handover!',
  'Got it.',
  'Will do!',
  'Sounds good 👍',
  '👍',
  '…',
  "You're welcome",
  'Noted, received and understood.',
])('%j says no more than thanks', (body) => expect(acknowledges(body)).toBe(true))

test.each([
  'yes',
  'Thanks, but GET /tasks answers 500.',
  'ok?',
  'done',
  'Got it. I renamed the field.',
  'Thanks. 42',
  'Danke schön',
  `${'thanks '.repeat(30)}`,
  'No.',
])('%j says something', (body) => expect(acknowledges(body)).toBe(false))
