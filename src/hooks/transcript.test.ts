import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { originOf, wasInterrupted, wasQueued } from './transcript.ts'

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

describe('whose a prompt was', () => {
  const ROWS: [what: string, entries: unknown[], origin: string | undefined][] = [
    [
      'typed',
      [user({ origin: { kind: 'human' }, promptSource: 'typed', turnOrigin: 'human' })],
      'human',
    ],
    [
      'typed while busy',
      [user({ origin: { kind: 'human' }, promptSource: 'queued', turnOrigin: 'human' })],
      'human',
    ],
    ['from a program', [user({ promptSource: 'sdk', turnOrigin: 'sdk' })], 'human'],
    [
      'from another session',
      [user({ origin: { kind: 'peer' }, promptSource: 'system', turnOrigin: 'peer' })],
      'other',
    ],
    ['scheduled', [user({ promptSource: 'system', turnOrigin: 'scheduled' })], 'other'],
    [
      'from another session, without a word for the turn',
      [user({ origin: { kind: 'peer' } })],
      'other',
    ],
    ['not told', [user({})], undefined],
    ['told of another prompt', [user({ promptId: 'p2', turnOrigin: 'peer' }), 'p1'], undefined],
    ['told by no user line', [{ type: 'system', promptId: 'p1', turnOrigin: 'peer' }], undefined],
    [
      'told first, then joined by another session',
      [user({ turnOrigin: 'human' }), user({ turnOrigin: 'peer' })],
      'human',
    ],
    [
      'told after what cannot be read',
      ['{"promptId":"p1"', '', 'null', user({ turnOrigin: 'peer' })],
      'other',
    ],
    ['told after much else', [{ x: 'y'.repeat(400_000) }, user({ turnOrigin: 'peer' })], 'other'],
    ['nowhere', [], undefined],
  ]
  test.each(ROWS)('%s', (_, entries, origin) =>
    expect(originOf(transcript(...entries), 'p1')).toBe(origin),
  )

  test('in a file that is not there', () =>
    expect(originOf(`${tempDirectory()}/none`, 'p1')).toBeUndefined())
})

describe('words that the host has queued', () => {
  const queued = (content: string, timestamp: string) => ({
    type: 'queue-operation',
    operation: 'enqueue',
    content,
    timestamp,
  })
  const path = () =>
    transcript(queued('yes', '2026-11-21T03:40:00.000Z'), {
      type: 'queue-operation',
      operation: 'dequeue',
    })

  test.each([
    ['the same words, since', 'yes', '2026-11-21T03:39:00.000Z', true],
    ['the same words, before', 'yes', '2026-11-21T03:41:00.000Z', false],
    ['other words', 'yes!', '2026-11-21T03:39:00.000Z', false],
  ])('%s', (_, words, since, expected) => expect(wasQueued(path(), words, since)).toBe(expected))

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
