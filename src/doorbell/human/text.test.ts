import { expect, test } from 'vitest'
import { escalationFields } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { someMessage } from '../../testing/message.ts'
import { humanText } from './text.ts'

const HOSTILE = '#(touch pwned)\u001b]0;x\u0007%H'

test.each<[Partial<Message>, string]>([
  [{}, '@backend writes to you: agent-chat inbox human'],
  [{ kind: 'result' }, '@backend writes to you: agent-chat inbox human'],
  [{ kind: 'question' }, '@backend asks you: agent-chat inbox human'],
  [{ extra: { priority: 'urgent' } }, '@backend urgently writes to you: agent-chat inbox human'],
  [{ extra: { priority: HOSTILE } }, '@backend writes to you: agent-chat inbox human'],
  [
    { kind: 'question', extra: escalationFields(3, ['drop it']) },
    '@backend needs your decision (#3): agent-chat inbox human',
  ],
  [
    { kind: 'question', extra: { escalation: HOSTILE } },
    '@backend asks you: agent-chat inbox human',
  ],
  [
    {
      from: 'a',
      kind: HOSTILE,
      subject: HOSTILE,
      body: HOSTILE,
      thread: HOSTILE,
      extra: { options: [HOSTILE] },
    },
    '@a writes to you: agent-chat inbox human',
  ],
  [
    { from: 'agent-chat', extra: { held_by: 'frontend', held_chain: 'x5d7t' } },
    'a message to @frontend is held: agent-chat release x5d7t',
  ],
  ...[
    { from: 'a', extra: { held_by: 'frontend', held_chain: 'x5d7t' } },
    { from: 'a', extra: { held_by: HOSTILE, held_chain: 'x5d7t' } },
  ].map((fields): [Partial<Message>, string] => [
    fields,
    '@a writes to you: agent-chat inbox human',
  ]),
  ...[
    { held_by: HOSTILE, held_chain: 'x5d7t' },
    { held_by: 'frontend', held_chain: HOSTILE },
    { held_by: 'frontend' },
  ].map((extra): [Partial<Message>, string] => [
    { from: 'agent-chat', extra },
    '@agent-chat writes to you: agent-chat inbox human',
  ]),
  [{ from: HOSTILE }, 'somebody writes to you: agent-chat inbox human'],
])('%j', (fields, text) => {
  expect(humanText(someMessage({ from: 'backend', ...fields }))).toBe(text)
})
