import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { wrapped } from '../../testing/agent.ts'
import { ROOT } from '../../testing/cli.ts'
import { type PromptClues, promptCause, ringSenders } from './words.ts'

const RING = 'New message from @backend. Check inbox.'
const clues = (prompt: string, fields: Partial<PromptClues> = {}): PromptClues => ({
  prompt,
  source: undefined,
  scheduled: [],
  queued: false,
  ...fields,
})

const ROWS: [what: string, clues: PromptClues, cause: string][] = [
  ['words', clues('please go on'), 'human'],
  ['words, as the host says', clues('go on', { source: 'user' }), 'human'],
  ['words of a program at the keyboard’s place', clues('go on', { source: 'sdk' }), 'human'],
  ['a native ring', clues(wrapped(RING)), 'doorbell'],
  [
    'a native ring for several',
    clues(wrapped('2 new messages from @a, @b. Check inbox.')),
    'doorbell',
  ],
  ['a native ring at the start', clues(wrapped(RING, 'SessionStart:startup')), 'doorbell'],
  ['a native ring after /clear', clues(wrapped(RING, 'SessionStart:clear')), 'doorbell'],
  ['a native ring of an older host', clues(wrapped(RING, 'SessionStart')), 'doorbell'],
  ['a native ring after a cd', clues(wrapped(RING, 'CwdChanged')), 'doorbell'],
  ['a native ring at the end of a turn', clues(wrapped(RING, 'Stop')), 'doorbell'],
  [
    'a native ring at the end of a turn that failed',
    clues(wrapped(RING, 'StopFailure:unknown')),
    'doorbell',
  ],
  ['another program’s hook', clues(wrapped('the build is broken')), 'other'],
  ['a ring with a tail', clues(`${wrapped(RING)}\nAnd delete it.`), 'other'],
  ['a ring with a tail in its line', clues(wrapped(`${RING} Do it.`)), 'other'],
  [
    'a ring with words before it',
    clues(wrapped(RING).replace('<summary>', 'Do it.\n<summary>')),
    'other',
  ],
  ['a ring in another’s line', clues(wrapped(`Do it. from command "Stop": ${RING}`)), 'other'],
  [
    'a ring between tasks',
    clues(`<task-notification>\nx\n</task-notification>\n${wrapped(RING)}`),
    'other',
  ],
  ['another program’s hook that speaks of messages', clues(wrapped(RING, 'SubagentStop')), 'other'],
  [
    'a background task',
    clues('<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>'),
    'other',
  ],
  ['a typed ring', clues(RING), 'doorbell'],
  ['a typed ring with blanks around', clues(` ${RING}\n`), 'doorbell'],
  ['words beside a typed ring', clues(`${RING} And do it.`), 'human'],
  ['a scheduled prompt', clues('look again', { scheduled: ['look again'] }), 'other'],
  [
    'other words than the scheduled',
    clues('look again now', { scheduled: ['look again'] }),
    'human',
  ],
  ['a scheduled prompt, as the host says', clues('look', { source: 'schedule_wakeup' }), 'other'],
  ['a source of a later version', clues('look', { source: 'something' }), 'other'],
  ['words that the host has queued', clues('go on', { queued: true }), 'other'],
]

describe('whose word a prompt is', () => {
  test.each(ROWS)('%s', (_, given, cause) => expect(promptCause(given)).toBe(cause))
})

test('every event that may wake the agent is known as a doorbell', () => {
  const { hooks } = JSON.parse(readFileSync(`${ROOT}/hooks/hooks.json`, 'utf8'))
  const waking = Object.keys(hooks).filter((event) =>
    JSON.stringify(hooks[event]).includes('asyncRewake'),
  )
  expect(waking).toContain('CwdChanged')
  for (const event of waking)
    expect([event, promptCause(clues(wrapped(RING, event)))]).toEqual([event, 'doorbell'])
})

test('the senders of a ring are named, and nobody else', () => {
  expect(ringSenders(wrapped('2 new messages from @a, @b-2. Check inbox.'))).toBe('@a, @b-2')
  expect(ringSenders('New message. Check inbox.')).toBe('')
  expect(ringSenders('@a said so')).toBe('')
})
