import { writeFileSync } from 'node:fs'
import type { Home } from '../bus/home.ts'
import type { Message } from '../message/message.ts'

/** A message for a test, whole but for what the test says about it. */
export function someMessage(fields: Partial<Message> = {}): Message {
  const id = fields.id ?? '20261121T033912.123456Z-from-backend'
  return {
    id,
    from: 'backend',
    to: 'frontend',
    timestamp: '2026-11-21T03:39:12.123Z',
    kind: 'handover',
    thread: id,
    chain: id,
    hops: 0,
    body: 'hello',
    extra: {},
    ...fields,
  }
}

/** Puts a file into an inbox by hand, as a person or another program might. */
export function putInInbox(home: Home, name: string, file: string, content: string | Buffer): void {
  writeFileSync(`${home.inbox(name)}/${file}`, content)
}

/** A message's text in the form that the file format has had from its first day. */
export function fileText(from: string, to: string, body: string, more = ''): string {
  return `---\nfrom: ${from}\nto: ${to}\ntimestamp: 2026-11-21T03:39:12.123Z\n${more}---\n${body}\n`
}
