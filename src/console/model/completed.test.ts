import { expect, test } from 'vitest'
import { someMessage } from '../../testing/message.ts'
import { completedBy } from './completed.ts'

const DONE = { summary: 'Fixed the test', tokens_out: '12' }

test('a worker that has answered has completed, with its summary and its files', () => {
  const extra = { ...DONE, artifacts: ['/src/a.ts', '/src/b\u001b[31m.ts'] }
  expect(completedBy({ ...someMessage({ from: 'coder' }), kind: 'reply', extra })).toMatch(
    /^✓ @coder completed: Fixed the test\n {2}artifact: \/src\/a\.ts\n {2}artifact: \/src\/b[^\u001b]*\n {2}cost: .*$/,
  )
})

test('one that could not has failed, with the reason', () => {
  const extra = { ...DONE, failed: 'the API is overloaded (529)' }
  expect(completedBy({ ...someMessage({ from: 'coder' }), kind: 'result', extra })).toBe(
    '✗ @coder failed: the API is overloaded (529)\n  cost: 0 tokens in, 12 out · $0.0000',
  )
})

test('any other message says nothing more', () => {
  expect(
    completedBy({ ...someMessage({ from: 'coder' }), kind: 'note', extra: DONE }),
  ).toBeUndefined()
  expect(
    completedBy({ ...someMessage({ from: 'coder' }), kind: 'reply', extra: {} }),
  ).toBeUndefined()
})
