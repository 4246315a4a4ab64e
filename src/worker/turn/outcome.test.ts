import { expect, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../message/message.ts'
import type { Result } from '../client/line.ts'
import { artifactsOf, bodyOf, isRefused, mayPass, outcomeFields, outcomeOf } from './outcome.ts'

const GOOD: Result = {
  ...{ ok: true, kind: 'success', text: '# Done\n\nAll of it.', status: undefined, turns: 2 },
  ...{ tokens: { in: 12, out: 3 }, usd: 0.0051, conversation: 'c' },
}
const BAD: Result = { ...GOOD, ok: false, kind: 'api_error', text: 'API Error: x.' }

test('an answer has a summary, its files, its tokens and what it cost', () => {
  expect(outcomeFields(outcomeOf(GOOD, ['/a/b.md']))).toEqual({
    ...{ summary: 'Done', artifacts: ['/a/b.md'], tokens_in: '12', tokens_out: '3' },
    ...{ cost_usd: '0.005100', conversation: 'c' },
  })
})

test.each([
  [{ status: 529 }, 'the API is overloaded (529)', true],
  [{ status: 429 }, 'the API limits the rate of requests (429)', true],
  [{ status: undefined }, 'api_error: API Error: x', true],
  [{ status: 400 }, 'api_error (400): API Error: x', false],
  [
    { kind: 'error_max_turns', turns: 4 },
    'it took more steps than its definition allows (4)',
    false,
  ],
  [{ kind: 'prompt_too_long' }, 'the conversation is too long for the model', false],
  [{ kind: 'error_during_execution', text: '' }, 'its turn was interrupted', false],
])('%o is said as: %s', (fields, why, again) => {
  const result = { ...BAD, ...fields }
  expect(outcomeOf(result, [])).toMatchObject({ ok: false, why })
  expect(mayPass(result)).toBe(again)
})

test('a refused key is told apart', () => {
  expect(isRefused({ ...BAD, status: 401 })).toBe(true)
  expect(isRefused({ ...BAD, text: 'Not logged in · Please run /login' })).toBe(true)
  expect(isRefused({ ...GOOD, text: 'Please run /login' })).toBe(false)
})

test('an answer without words says so, and one too long is cut between two signs', () => {
  expect(outcomeOf({ ...GOOD, text: ' ' }, []).text).toBe(
    'The worker ended its turn without a word.',
  )
  const body = bodyOf(outcomeOf({ ...GOOD, text: 'æ'.repeat(MAX_BODY_BYTES) }, []))
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES)
  expect(body).toMatch(/^æ+\n\n\(The rest was cut/)
})

test('artifacts are the files that tools have written, not those that failed', () => {
  const artifacts = artifactsOf('/work')
  const write = (id: string, tool: string, input: Record<string, unknown>, failed: boolean) => {
    artifacts.take({ type: 'tool_start', id, tool, input })
    artifacts.take({ type: 'tool_complete', id, tool, failed })
  }
  write('1', 'Write', { file_path: 'a.md' }, false)
  write('2', 'Edit', { file_path: '/work/b.md' }, false)
  write('3', 'Write', { file_path: '/no.md' }, true)
  write('4', 'Read', { file_path: '/read.md' }, false)
  write('5', 'Write', { file_path: 'a.md' }, false)
  expect(artifacts.paths()).toEqual(['/work/a.md', '/work/b.md'])
})
