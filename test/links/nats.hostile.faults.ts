import { createHash } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, expect, test } from 'vitest'
import { open } from '../../src/link/nats/client.ts'
import { readTicket } from '../../src/link/nats/files.ts'
import { ackSubject, inboxOf, namesOf } from '../../src/link/nats/names.ts'
import { until } from '../../src/testing/until.ts'
import { attacks, noteOf } from './hostile.ts'
import { bridgePage as page } from './measure.ts'
import { harmed, run } from './natsWorld.ts'

const TIMES = 10

const { frame, presence, stream, answer } = namesOf('crew')

/** What c may not do. */
const DENIED = [
  frame('a', 'b', 'msg'),
  answer('b', 'a'),
  frame('c', 'b', 'more'),
  presence('a'),
  ackSubject('crew', 'b', 1, 1),
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.b`,
  `$JS.API.CONSUMER.DELETE.${stream}.b`,
  `$JS.API.STREAM.PURGE.${stream}`,
  `$JS.API.STREAM.DELETE.${stream}`,
]
const UNHEARD = [frame('*', 'b', '*'), answer('*', 'b'), `${inboxOf('b')}.>`, '_ADMIN_INBOX.>']

test('hostile', () =>
  run(
    `a third machine of the team lies and floods, ${TIMES} times, and acknowledges what is for others`,
    async (world) => {
      const { b, c } = world.team.homes
      if (b === undefined || c === undefined) throw new Error('no homes')
      const connection = await open(readTicket(c))
      const denied = deniedTo(connection)
      let stolen = 0
      const callback = (error: Error | null) => {
        if (error === null) stolen += 1
      }
      for (const subject of UNHEARD) connection.subscribe(subject, { callback })
      const sent = await harmed(world, TIMES, async (time, last) => {
        attack(connection, last)
        // Each costs a minute at most: whoever wrote them sends them again.
        if (time === 3) for (let n = 1; n < 20_000; n += 1) acknowledge(connection, n)
        await connection.flush()
      })
      await connection.close()
      await until('all has arrived', () => world.waiting() === 0, 200_000)
      expect(stolen).toBe(0)
      expect([...(await denied)].sort()).toEqual([...DENIED, ...UNHEARD].sort())
      return { sent, note: noteOf(b, sent) }
    },
    { others: { c: ['backend'] } },
  ))

function attack(connection: NatsConnection, id: string): void {
  const lines = attacks(id)
    .flat()
    .map((line) => line.slice(0, 1_000_000))
  for (const to of ['a', 'b'])
    for (const line of lines) {
      const [, f = 'msg'] = /^\{"f":"(\w+)"/.exec(line) ?? []
      connection.publish(
        f === 'ans' ? answer('c', to) : frame('c', to, f === 'rcpt' ? f : 'msg'),
        line,
      )
    }
  const n = Number.parseInt(createHash('sha256').update(`${id}.a`).digest('hex').slice(0, 12), 16)
  connection.publish(answer('c', 'a'), `{"f":"ans","n":${n},"answer":{"is":"arrived"}}`)
  connection.publish(presence('c'), lines[1])
  for (const subject of DENIED) connection.publish(subject, '')
}

const acknowledge = (connection: NatsConnection, n: number) =>
  connection.publish(ackSubject('crew', 'c', n, n), '+ACK')

/** What the server has said it denies, once the connection has ended. */
async function deniedTo(connection: NatsConnection): Promise<Set<string>> {
  const denied = new Set<string>()
  for await (const status of connection.status()) {
    const said = status.type === 'error' ? status.error.message : ''
    const [, subject] = /permissions violation.*"([^"]+)"/i.exec(said) ?? []
    if (subject !== undefined) denied.add(subject)
  }
  return denied
}

afterAll(() => {
  process.stdout.write(page.text())
})
