import { createHash } from 'node:crypto'
import type { JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { reasonOf } from '../../system/errno.ts'
import type { Frame } from '../frames.ts'
import type { Answer, Transport } from '../transport.ts'
import { namesOf } from './names.ts'

/**
 * What goes out: each question until its machine answers, an answer once. A server that was killed
 * may bring back, for good, what was acknowledged: kept answers would fill their subject with that.
 */
export type Post = {
  to: (host: string) => Transport
  answer: (host: string, n: number, answer: Answer) => void
  onAnswer: (host: string, n: number, answer: Answer) => void
  /** A server that was away may have lost what it had: what is not answered is sent again. */
  again: () => void
  end: (why: string) => void
}

export type PostOffice = {
  connection: NatsConnection
  client: JetStreamClient
  team: string
  me: string
  now: () => number
  isHere: (host: string) => boolean
  notice: (text: string) => void
}

const PUBLISH_MS = 5000
const AGAIN_MS = 1000

/** An answer of a machine that is here comes within this, or was lost on its way. */
const ANSWER_MS = 60_000

/** The server had the frame before: it may be that it was answered, and nobody noted it. */
const ANSWERED_BEFORE_MS = 2000

const LOOK_MS = 2000

const LOST = new Error('the server was away')

/** The acknowledgement of the server tells nothing of the other machine's disk, so it is no answer. */
export function createPost(office: PostOffice): Post {
  const { connection, client, team, me, now, isHere, notice } = office
  const open = new Map<string, (answer: Answer | undefined) => void>()
  let over: string | undefined
  let returns = 0
  const lost = new Set<() => void>()
  let known = Number.POSITIVE_INFINITY
  /** While the server is away, the library knows nothing of it: what it said last counts. */
  const mostBytes = () => {
    known = connection.info?.max_payload ?? known
    return known
  }
  mostBytes()
  const send = async (host: string, frame: Frame, msgID: string) => {
    const subject = namesOf(team).frame(me, host, frame.f)
    const text = JSON.stringify(frame)
    for (let tries = 0; ; tries += 1) {
      if (over !== undefined) throw new Error(over)
      try {
        return await orLost(client.publish(subject, text, { msgID, timeout: PUBLISH_MS }))
      } catch (error) {
        if (connection.isClosed()) throw error
        if (error === LOST) continue
        if (tries === 0) notice(`the server did not take a frame for ${host}: ${reasonOf(error)}`)
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
    }
  }
  /** A server that came back says nothing of what it was told before. */
  const orLost = async <T>(said: Promise<T>): Promise<T> => {
    let lose = () => {}
    const away = new Promise<never>((_, reject) => {
      lose = () => reject(LOST)
    })
    lost.add(lose)
    try {
      return await Promise.race([said, away])
    } finally {
      lost.delete(lose)
    }
  }
  const ask = async (host: string, key: string, frame: (n: number) => Frame): Promise<Answer> => {
    const n = Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 12), 16)
    const asked = frame(n)
    const most = mostBytes()
    if (Buffer.byteLength(JSON.stringify(asked)) > most)
      return { is: 'refused', why: `it is too long for the server: more than ${most} bytes` }
    let answered: Answer | undefined
    let wake = () => {}
    open.set(`${host} ${n}`, (answer) => {
      answered = answer ?? answered
      wake()
    })
    const wait = (ms: number) =>
      new Promise<void>((resolve) => {
        if (answered || over !== undefined) return resolve()
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    try {
      for (let msgID = key; ; msgID = `${key} ${now()}`) {
        const { duplicate } = await send(host, asked, msgID)
        const before = returns
        const until = now() + (duplicate ? ANSWERED_BEFORE_MS : ANSWER_MS)
        while (!answered && before === returns && (now() < until || !isHere(host))) {
          await wait(LOOK_MS)
          if (over !== undefined) throw new Error(over)
        }
        if (answered) return answered
      }
    } finally {
      open.delete(`${host} ${n}`)
    }
  }
  return {
    to: (host) => ({
      deliver: (letter) => ask(host, letter.id, (n) => ({ f: 'msg', n, letter })),
      tell: async (receipts) => {
        const key = `receipts ${me} ${JSON.stringify(receipts)}`
        const digest = createHash('sha256').update(key).digest('hex')
        await ask(host, digest, (n) => ({ f: 'rcpt', n, receipts: [...receipts] }))
      },
    }),
    answer: (host, n, answer) => {
      const frame: Frame = { f: 'ans', n, answer }
      if (!connection.isClosed())
        connection.publish(namesOf(team).answer(me, host), JSON.stringify(frame))
    },
    onAnswer: (host, n, answer) => open.get(`${host} ${n}`)?.(answer),
    again: () => {
      returns += 1
      for (const lose of lost) lose()
      for (const wake of open.values()) wake(undefined)
    },
    end: (why) => {
      over ??= why
      for (const wake of open.values()) wake(undefined)
    },
  }
}
