import { expect, test } from 'vitest'
import { completedBy } from '../console/model/completed.ts'
import { workDone, workLines } from './workDone.ts'

const EXTRA = {
  summary: 'It is written',
  artifacts: ['/work/a\u001b[2J.txt', '/work/b.txt'],
  ...{ tokens_in: '12345', tokens_out: '67', cost_usd: '0.012345' },
}

test('a worker’s answer says what it wrote and used', () => {
  const done = workDone({ kind: 'result', extra: EXTRA })
  expect(done).toMatchObject({ summary: 'It is written', tokens: { in: 12_345, out: 67 } })
  expect(done && workLines(done)).toEqual([
    expect.stringMatching(/^artifact: \/work\/a[^\u001b]*\.txt$/),
    'artifact: /work/b.txt',
    'cost: 12,345 tokens in, 67 out · $0.0123',
  ])
})

test.each([
  ['note', EXTRA],
  ['result', {}],
  ['reply', { summary: 'of a handover' }],
])('a %s with %j is no work of a worker', (kind, extra) =>
  expect(workDone({ kind, extra })).toBeUndefined(),
)

test('the console names the files and the cost', () => {
  const message = { kind: 'result', from: 'coder', extra: { ...EXTRA, artifacts: ['/b.txt'] } }
  expect(completedBy(message as unknown as Parameters<typeof completedBy>[0])).toBe(
    '✓ @coder completed: It is written\n  artifact: /b.txt\n  cost: 12,345 tokens in, 67 out · $0.0123',
  )
})
