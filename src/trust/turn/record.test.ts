import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { lastCall, toldOf, versionIn, wasInterrupted, wasQueued } from './record.ts'

const user = (fields: object) => ({
  type: 'user',
  promptId: 'p1',
  message: { role: 'user' },
  ...fields,
})

function transcript(...entries: unknown[]): string {
  const path = `${tempDirectory()}/transcript.jsonl`
  writeFileSync(
    path,
    entries.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''),
  )
  return path
}

describe('what a record tells of a prompt', () => {
  const typed = user({ turnOrigin: 'human' })
  const peer = user({ origin: { kind: 'peer' } })
  const result = user({ message: { content: [{ type: 'tool_result' }] }, x: 'y'.repeat(80_000) })
  const ROWS: [what: string, entries: unknown[], said: string | undefined, joined?: number][] = [
    ['typed', [typed], 'human'],
    [
      'the word for the turn, not for the prompt',
      [user({ turnOrigin: 'peer', origin: { kind: 'human' } })],
      'peer',
    ],
    ['without a word for the turn', [peer], 'peer'],
    ['joined by another', [typed, peer], 'human', 1],
    ['joined, the one that began the turn second', [peer, typed], 'human', 1],
    ['not told', [user({})], undefined],
    ['told of another prompt', [user({ promptId: 'p2', turnOrigin: 'peer' }), 'p1'], undefined],
    ['told by no user line', [{ type: 'system', promptId: 'p1', turnOrigin: 'peer' }], undefined],
    ['told of a subagent', [user({ turnOrigin: 'human', isSidechain: true })], undefined],
    ['told by a result', [user({ ...result, turnOrigin: 'human' })], undefined],
    ['told after what cannot be read', ['{"promptId":"p1"', '', 'null', typed], 'human'],
    [
      'quoted by another',
      [{ type: 'user', promptId: 'p2', message: { content: JSON.stringify(typed) } }],
      undefined,
    ],
    [
      'of a line that is not whole',
      [typed].map((one) => JSON.stringify(one).slice(0, -9)),
      undefined,
    ],
    ['nowhere', [], undefined],
  ]
  test.each(ROWS)('%s', (_, entries, said, joined = 0) => {
    const told = toldOf(transcript(...entries), 'p1')
    expect([told?.opening.said, told?.joined.length ?? 0]).toEqual([said, joined])
  })

  const SIZES = [100, 70_000, 1_000_000]
  test.each(SIZES.flatMap((own) => SIZES.map((after) => [own, after])))(
    'in a line of %i bytes, with %i after it',
    (own, after) => {
      const line = user({ turnOrigin: 'peer', message: { content: 'x'.repeat(own) } })
      const path = transcript({ x: 'y'.repeat(own) }, line, result, { x: 'z'.repeat(after) })
      expect(toldOf(path, 'p1')?.opening).toMatchObject({ said: 'peer', text: 'x'.repeat(own) })
      expect(toldOf(path, 'p1', true) === undefined).toBe(true)
    },
  )

  test('by a client that names no origin', () => {
    const told = (version: string) => toldOf(transcript(user({ version })), 'p1')?.opening
    expect(told('2.1.274')).toMatchObject({ said: undefined, version: '2.1.274' })
    expect(told('2.1.275')).toBeUndefined()
    expect(versionIn(transcript(user({ version: '2.1.100' }), 'x'))).toBe('2.1.100')
  })

  test('in a file that is not there', () =>
    expect(toldOf(`${tempDirectory()}/none`, 'p1')).toBeUndefined())
})

describe('words that the host has queued', () => {
  const queued = (content: string, timestamp: string) => ({
    type: 'queue-operation',
    operation: 'enqueue',
    content,
    timestamp,
  })
  const path = () =>
    transcript(
      queued('y'.repeat(1_000_000), '2026-11-21T03:40:00.000Z'),
      queued('yes', '2026-11-21T03:40:00.000Z'),
      { type: 'queue-operation', operation: 'dequeue' },
    )

  test.each([
    ['the same words, since', 'yes', '2026-11-21T03:39:00.000Z', true],
    ['the same words, before', 'yes', '2026-11-21T03:41:00.000Z', false],
    ['other words', 'yes!', '2026-11-21T03:39:00.000Z', false],
    ['very many words', 'y'.repeat(1_000_000), '2026-11-21T03:39:00.000Z', true],
  ])('%s', (_, words, since, expected) => expect(wasQueued(path(), words, since)).toBe(expected))

  const wordless = { type: 'queue-operation', operation: 'enqueue' }
  const at = (timestamp: string) => ({ ...wordless, timestamp })
  test.each([
    ['since', [at('2026-11-21T03:40:00.000Z')], true],
    ['before', [at('2026-11-21T03:38:00.000Z')], false],
    ['at a time that nobody knows', [wordless], true],
    ['with words that are no text', [{ ...at('2026-11-21T03:40:00.000Z'), content: [] }], true],
    ['taken up', [{ ...at('2026-11-21T03:40:00.000Z'), operation: 'dequeue' }], false],
  ])('that the record does not hold may be any words: %s', (_, entries, expected) =>
    expect(wasQueued(transcript(...entries), 'yes', '2026-11-21T03:39:00.000Z')).toBe(expected),
  )

  test('stand in what is told of a prompt, without their words', () => {
    const path = transcript(user({ turnOrigin: 'human' }), at('2026-11-21T03:40:00.000Z'))
    expect(toldOf(path, 'p1')?.queued).toEqual([
      { text: undefined, at: Date.parse('2026-11-21T03:40:00.000Z'), taken: false },
    ])
  })

  test('are none without a record', () => {
    expect(wasQueued(undefined, 'yes', '2026-11-21T03:39:00.000Z')).toBe(false)
    expect(wasQueued(`${tempDirectory()}/none`, 'yes', '2026-11-21T03:39:00.000Z')).toBe(false)
  })
})

describe('a turn that the user has interrupted', () => {
  const BEGAN = '2026-11-21T03:39:00.000Z'
  const AFTER = '2026-11-21T03:40:00.000Z'
  const said = (text: string, fields: object = {}) =>
    user({
      message: { role: 'user', content: [{ type: 'text', text }] },
      timestamp: AFTER,
      ...fields,
    })
  const MARK = '[Request interrupted by user]'
  const ROWS: [what: string, entries: unknown[], interrupted: boolean][] = [
    ['words', [said(MARK)], true],
    ['a tool', [said('[Request interrupted by user for tool use]')], true],
    [
      'with a command of the user’s after it',
      [said(MARK), user({ timestamp: AFTER, message: 'x' })],
      true,
    ],
    ['the one before', [said(MARK, { timestamp: '2026-11-21T03:38:59.000Z' })], false],
    ['no time', [said(MARK, { timestamp: undefined })], false],
    ['a subagent', [said(MARK, { isSidechain: true })], false],
    ['words that quote it', [said(`what does ${MARK} mean?`)], false],
    [
      'a prompt that is nothing else',
      [user({ message: { role: 'user', content: MARK }, timestamp: AFTER })],
      false,
    ],
    [
      'a request that holds it',
      [{ type: 'api-request-blob', message: said(MARK).message, timestamp: AFTER }],
      false,
    ],
    ['nothing', [], false],
  ]
  test.each(ROWS)('%s', (_, entries, interrupted) =>
    expect(wasInterrupted(transcript(...entries), BEGAN)).toBe(interrupted),
  )
})

describe('the last call', () => {
  const at = (minute: number) => `2026-11-21T03:0${minute}:00.000Z`
  const call = (minute: number, name: string, more: object = {}) => ({
    ...{ type: 'assistant', timestamp: at(minute) },
    message: { content: [{ type: 'text' }, { type: 'tool_use', name, input: { command: name } }] },
    ...more,
  })
  const result = { type: 'user', message: { content: [{ type: 'tool_result' }] }, timestamp: at(9) }

  test.each<[what: string, entries: unknown[], name: string | undefined]>([
    ['of several', [call(1, 'Read'), result, call(2, 'Edit'), result], 'Edit'],
    ['before a long result', [call(2, 'Edit'), { ...result, x: 'y'.repeat(200_000) }], 'Edit'],
    ['not of a subagent', [call(2, 'Edit'), call(3, 'Bash', { isSidechain: true })], 'Edit'],
    ['not of an earlier turn', [call(0, 'Edit')], undefined],
    ['not quoted', [call(2, 'Edit'), { type: 'user', message: '"tool_use"' }], 'Edit'],
    ['without a time', [call(1, 'Read'), call(2, 'Edit', { timestamp: undefined })], 'Read'],
    ['with a strange input', [call(2, 'x', { message: { content: 'tool_use' } })], undefined],
    ['none', [result], undefined],
  ])('%s', (_, entries, name) => {
    expect(lastCall(transcript(...entries), at(1))?.call.name).toBe(name)
  })

  test('with what it is about, and when', () => {
    const found = lastCall(transcript(call(2, 'Bash')), at(1))
    expect(found).toEqual({ call: { name: 'Bash', input: { command: 'Bash' } }, at: at(2) })
    expect(lastCall('/nowhere/x.jsonl', at(1))).toBeUndefined()
  })
})
