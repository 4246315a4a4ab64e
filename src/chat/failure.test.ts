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

test.each([
  ['EMFILE', 'raise the limit with: ulimit -n 4096'],
  ['ENFILE', 'close some programs, then try again'],
])('%s is a limit, wherever it is met', (code, hint) => {
  expect(failureOf(Object.assign(new Error(code), { code, path: '/proc/1/stat' }))).toMatchObject({
    code: 'FAULT',
    hint,
  })
})
