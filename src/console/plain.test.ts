import { expect, test } from 'vitest'
import type { NoticeEntry } from '../chat/live/entry.ts'
import { entryOfMessage } from '../chat/live/fromEvent.ts'
import { escalationFields } from '../message/escalation.ts'
import type { Message } from '../message/message.ts'
import { shortId } from '../message/shortId.ts'
import { someMessage } from '../testing/message.ts'
import { plainText } from './plain.ts'

const ID = someMessage().id

test.each<[Partial<Message>, string]>([
  [{}, `@backend to @frontend, handover: hello (${shortId(ID)})`],
  [{ subject: 'API' }, `@backend to @frontend, handover "API" (${shortId(ID)})`],
  [
    { to: 'human', subject: 'API', body: 'a\n\n  b\tc' },
    `@backend to you, handover "API": a b c (${shortId(ID)})`,
  ],
  [{ from: 'human', to: 'backend' }, `you to @backend, handover: hello (${shortId(ID)})`],
  [
    { to: 'human', kind: 'question', body: 'Drop?', extra: escalationFields(3, ['a']) },
    `@backend to you, decision #3: Drop?; answer with #3 and an option or words (${shortId(ID)})`,
  ],
  [{ body: 'x\u001b[2Jy' }, `@backend to @frontend, handover: x^[[2Jy (${shortId(ID)})`],
])('%j', (fields, line) => {
  const text = plainText(entryOfMessage(someMessage(fields)), Date.parse(someMessage().timestamp))
  expect(text.replace(/^\d\d:\d\d /, '')).toBe(`${line}\n`)
})

test.each<[NoticeEntry['tone'], string, string]>([
  ['error', 'no session\nsee /who', 'error: no session (see /who)\n'],
  ['error', 'no', 'error: no\n'],
  ['answer', 'a\nb', 'a\nb\n'],
  ['typed', '/who', ''],
])('%s %j', (tone, text, line) => {
  expect(plainText({ type: 'notice', at: '', tone, text }, 0)).toBe(line)
})
