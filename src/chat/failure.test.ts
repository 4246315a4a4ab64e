import { expect, test } from 'vitest'
import { failureOf } from './failure.ts'

test('a place elsewhere that the system refuses is no trouble of the home', () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/nowhere/below'"), {
    code: 'EACCES',
    path: '/nowhere/below',
  })
  expect(failureOf(error)).toEqual({
    code: 'FAULT',
    message: error.message,
    hint: 'check its owner and mode: ls -ld /',
    exit: 1,
    lines: [],
  })
})
