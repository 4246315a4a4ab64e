import type { JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import { createPost } from './post.ts'

const LETTER = { id: '20261121T033912.123456Z-from-backend.a', text: 'hello' }

/** A post of machine a, over a server that does with each frame what `server` says. */
function post(
  server: () => { duplicate: boolean } | Promise<never> = () => ({ duplicate: false }),
  most = 1e6,
) {
  const sent: { subject: string; n: number; msgID: string | undefined }[] = []
  const told: [subject: string, frame: unknown][] = []
  const notices: string[] = []
  const client = {
    publish: async (subject: string, text: string, { msgID }: { msgID?: string }) => {
      sent.push({ subject, n: JSON.parse(text).n, msgID })
      return server()
    },
  }
  const connection = {
    isClosed: () => false,
    publish: (subject: string, text: string) => void told.push([subject, JSON.parse(text)]),
    info: { max_payload: most } as { max_payload: number } | undefined,
  }
  let time = 0
  const made = createPost({
    connection: connection as unknown as NatsConnection,
    client: client as unknown as JetStreamClient,
    ...{ team: 'crew', me: 'a', isHere: () => true },
    // At each look at the clock three seconds have passed.
    now: () => {
      time += 3000
      return time
    },
    notice: (text) => void notices.push(text),
  })
  const answer = (is: 'arrived') => made.onAnswer('b', sent[0]?.n ?? 0, { is })
  const goAway = () => {
    connection.info = undefined
  }
  return { made, sent, told, notices, answer, goAway }
}

test("a letter is delivered when its machine says so, and the server's word is no answer", async () => {
  const { made, sent, answer } = post()
  let over = false
  const delivered = made.to('b').deliver(LETTER)
  void delivered.finally(() => {
    over = true
  })
  await until('it is sent', () => sent.length === 1)
  expect(sent[0]).toMatchObject({ subject: 'ac.crew.from.a.to.b.msg', msgID: LETTER.id })
  made.onAnswer('c', sent[0]?.n ?? 0, { is: 'arrived' })
  made.onAnswer('b', 7, { is: 'arrived' })
  await new Promise(setImmediate)
  expect(over).toBe(false)
  answer('arrived')
  expect(await delivered).toEqual({ is: 'arrived' })
})

test('a letter that the server had before is sent again under another id: its answer may be lost', async () => {
  let times = 0
  const { made, sent, answer } = post(() => {
    times += 1
    return { duplicate: times === 1 }
  })
  const delivered = made.to('b').deliver(LETTER)
  await until('it is sent again', () => sent.length === 2)
  expect(sent[1]).toMatchObject({ n: sent[0]?.n, msgID: expect.not.stringMatching(/^\S+$/) })
  answer('arrived')
  expect(await delivered).toEqual({ is: 'arrived' })
})

test('a server that takes nothing is told of once, and the letter goes out when it does', async () => {
  let times = 0
  const { made, sent, notices, answer } = post(() => {
    times += 1
    if (times === 1) throw new Error('maximum bytes exceeded')
    return { duplicate: false }
  })
  const delivered = made.to('b').deliver(LETTER)
  await until('it is taken', () => sent.length === 2)
  answer('arrived')
  expect(await delivered).toEqual({ is: 'arrived' })
  expect(notices).toEqual(['the server did not take a frame for b: maximum bytes exceeded'])
})

test('a letter that is too long for the server is refused, and the end is told to whoever waits', async () => {
  const small = post(undefined, 10)
  expect(await small.made.to('b').deliver(LETTER)).toMatchObject({
    ...{ is: 'refused', why: 'it is too long for the server: more than 10 bytes' },
  })
  expect(small.sent).toEqual([])
  const { made, sent } = post()
  const delivered = made.to('b').deliver(LETTER)
  await until('it is sent', () => sent.length === 1)
  made.end('the bridge ended')
  await expect(delivered).rejects.toThrow('the bridge ended')
})

test('nothing is refused because the server is away: the library then says nothing of it', async () => {
  const { made, sent, answer, goAway } = post()
  goAway()
  const delivered = made.to('b').deliver(LETTER)
  await until('it is sent', () => sent.length === 1)
  answer('arrived')
  expect(await delivered).toEqual({ is: 'arrived' })
  const small = post(undefined, 10)
  small.goAway()
  expect(await small.made.to('b').deliver(LETTER)).toMatchObject({ is: 'refused' })
})

test('what a server that came back may have lost is sent again at once', async () => {
  const { made, sent, answer } = post()
  const delivered = made.to('b').deliver(LETTER)
  await until('it is sent', () => sent.length === 1)
  await new Promise(setImmediate)
  made.again()
  await until('it is sent again', () => sent.length === 2)
  expect(sent[1]?.msgID).not.toBe(LETTER.id)
  answer('arrived')
  expect(await delivered).toEqual({ is: 'arrived' })
})

test('a frame whose server was killed goes out as soon as it is back', async () => {
  let times = 0
  const { made, sent, notices, answer } = post(() => {
    times += 1
    return times === 1 ? new Promise<never>(() => {}) : { duplicate: false }
  })
  const delivered = made.to('b').deliver(LETTER)
  await until('it is sent', () => sent.length === 1)
  made.again()
  await until('it is sent again', () => sent.length === 2)
  expect(sent[1]?.msgID).toBe(LETTER.id)
  answer('arrived')
  expect(await delivered).toEqual({ is: 'arrived' })
  expect(notices).toEqual([])
})

test('an answer goes out once, and is not kept on the server', () => {
  const { made, sent, told } = post()
  made.answer('b', 2, { is: 'arrived' })
  expect(sent).toEqual([])
  expect(told).toEqual([
    ['ac.crew.from.a.answers.b', { f: 'ans', n: 2, answer: { is: 'arrived' } }],
  ])
})
