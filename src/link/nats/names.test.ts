import { expect, test } from 'vitest'
import { inboxOf, namesOf, senderOf, serverConf, usersConf } from './names.ts'

/** Whether a subject of NATS, with its wildcards, has another one in it. */
function covers(pattern: string, subject: string): boolean {
  const [wanted, given] = [pattern.split('.'), subject.split('.')]
  return (
    wanted.every((one, n) =>
      one === '>' ? given.length > n : given[n] !== undefined && (one === '*' || one === given[n]),
    ) &&
    (wanted.at(-1) === '>' || wanted.length === given.length)
  )
}

const conf = usersConf('crew', 'UADMIN', { a: 'UA', b: 'UB' })

/** What machine a may do, by the file that the server reads. */
function allowed(what: 'publish' | 'subscribe'): string[] {
  const user = conf.slice(conf.indexOf('nkey: UA,'), conf.indexOf('nkey: UB,'))
  const list = new RegExp(`${what}: \\{ allow: \\[([^\\]]*)\\]`).exec(user)?.[1] ?? ''
  return list.split(', ').map((one) => one.slice(1, -1))
}

const may = (what: 'publish' | 'subscribe', subject: string) =>
  allowed(what).some((pattern) => covers(pattern, subject))

test('a machine may write as itself and read what is for it', () => {
  const { frame, presence, stream, answer } = namesOf('crew')
  for (const subject of [
    frame('a', 'b', 'msg'),
    frame('a', 'b', 'rcpt'),
    answer('a', 'b'),
    presence('a'),
    `$JS.ACK.${stream}.a.1.2`,
  ])
    expect(may('publish', subject)).toBe(true)
  expect(may('publish', `$JS.API.CONSUMER.MSG.NEXT.${stream}.a`)).toBe(true)
  for (const subject of [`${inboxOf('a')}.x`, answer('b', 'a'), presence('b'), '$SRV.INFO.agents'])
    expect(may('subscribe', subject)).toBe(true)
  expect(senderOf(frame('a', 'b', 'msg'))).toBe('a')
  expect(senderOf(answer('a', 'b'))).toBe('a')
})

test.each([
  ["another machine's word", namesOf('crew').frame('b', 'c', 'msg')],
  ["another machine's answer", namesOf('crew').answer('b', 'c')],
  ['a subject that nobody reads', namesOf('crew').frame('a', 'b', 'more')],
  ["another machine's presence", namesOf('crew').presence('b')],
  ["another team's subject", namesOf('others').frame('a', 'b', 'msg')],
  ["another's mail", '$JS.API.CONSUMER.MSG.NEXT.AC_CREW.b'],
  ["another's acknowledgement", '$JS.ACK.AC_CREW.b.1'],
  ['a consumer of its own', '$JS.API.CONSUMER.DURABLE.CREATE.AC_CREW.a'],
  ['a consumer with a filter', '$JS.API.CONSUMER.CREATE.AC_CREW.a.ac.crew.from.*.to.b.*'],
  ['an end of its consumer', '$JS.API.CONSUMER.DELETE.AC_CREW.a'],
  ['a look at the stream', '$JS.API.STREAM.INFO.AC_CREW'],
  ['a message of the stream', '$JS.API.STREAM.MSG.GET.AC_CREW'],
  ['an empty stream', '$JS.API.STREAM.PURGE.AC_CREW'],
  ["an answer to another's question", `${inboxOf('b')}.x`],
  ["an answer to the admin's question", `${inboxOf(undefined)}.x`],
  ["another's sign of life for tools", 'agents.hb.agent-chat.b.frontend'],
  ['a question to tools', '$SRV.INFO.agents'],
])('a machine may not publish %s', (_, subject) => {
  expect(may('publish', subject)).toBe(false)
})

test.each([
  ['all that is said', 'ac.crew.from.b.to.a.msg'],
  ["another's answers", namesOf('crew').answer('c', 'b')],
  ["another's inbox", `${inboxOf('b')}.x`],
  ["the admin's inbox", `${inboxOf(undefined)}.x`],
  ['where tools listen', '_INBOX.x'],
  ["another's prompts", 'agents.prompt.agent-chat.b.frontend'],
])('a machine may not subscribe to %s', (_, subject) => {
  expect(may('subscribe', subject)).toBe(false)
})

test('no machine has a permission to answer in general, and the limits of the server are set', () => {
  expect(conf).not.toContain('allow_responses')
  expect(serverConf('/home/x y', 4222)).toContain(
    'store_dir: "/home/x y/store", max_file_store: 2GB',
  )
})
