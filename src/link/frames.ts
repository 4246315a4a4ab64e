import type { Letter } from '../bus/remote/outbox.ts'
import type { RemoteSession } from '../bus/remote/peers.ts'
import type { Receipt } from '../bus/remote/receipts.ts'
import { visibleLine } from '../message/visible.ts'
import { jsonOf } from '../system/json.ts'
import type { Answer } from './transport.ts'

/** The version of these frames. Another one is refused by name. */
export const FRAMES = 1

/** One line each way, as JSON. `n` tells which answer belongs to what. */
export type Frame =
  | {
      f: 'hello'
      v: number
      /** Who speaks, with the id of its home, and whom it takes the other for. */
      host: string
      home: string
      to: string
      /** Whether its user said that the other is called so. */
      sure: boolean
      version: string
      /** Its clock, in milliseconds since 1970. */
      at: number
    }
  | { f: 'bye'; why: string; hint: string }
  | { f: 'msg'; n: number; letter: Letter }
  | { f: 'rcpt'; n: number; receipts: Receipt[] }
  | { f: 'ans'; n: number; answer: Answer }
  | { f: 'here'; sessions: RemoteSession[] }
  | { f: 'idle' }
  | { f: 'ping'; at: number }
  | { f: 'pong'; at: number; now: number }

/** A body whose every sign takes six in JSON, and its header. */
const MAX_LINE = 4 * 1024 * 1024

/** Splits what comes into frames. Throws for what can be none: a line too long, or no JSON. */
export function frameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0
  return (chunk) => {
    let rest = chunk
    for (let at = rest.indexOf(0x0a); at >= 0; at = rest.indexOf(0x0a)) {
      const line = Buffer.concat([...parts, rest.subarray(0, at)])
      rest = rest.subarray(at + 1)
      parts = []
      size = 0
      const frame = parseFrame(line)
      if (frame) onFrame(frame)
    }
    if (rest.length > 0) parts.push(rest)
    size += rest.length
    if (size > MAX_LINE) throw new Error('the other side sent a line that is too long')
  }
}

/** Undefined for a frame that a later version may have. */
export function parseFrame(line: Buffer): Frame | undefined {
  if (line.length > MAX_LINE) throw new Error('the other side sent a line that is too long')
  const value = jsonOf(line.toString('utf8'))
  if (typeof value !== 'object' || value === null || !('f' in value)) throw notUnderstood(line)
  const shape = Object.hasOwn(SHAPES, String(value.f)) ? SHAPES[value.f as Frame['f']] : undefined
  if (shape === undefined) return undefined
  if (!shape({ ...value })) throw notUnderstood(line)
  return value as Frame
}

/** A login that prints something before agent-chat runs is the common cause: so it is shown. */
function notUnderstood(line: Buffer): Error {
  const text = visibleLine(line.toString('utf8').slice(0, 80))
  return new Error(`the other side sent what is no frame: ${text}`)
}

type Fields = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string' && value.length <= 2000
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const SHAPES: Record<Frame['f'], (fields: Fields) => boolean> = {
  hello: ({ v, host, home, to, sure, version, at }) =>
    [host, home, to, version].every(isText) && typeof sure === 'boolean' && [v, at].every(isNumber),
  bye: ({ why, hint }) => isText(why) && isText(hint),
  msg: ({ n, letter }) => isNumber(n) && isLetter(letter),
  rcpt: ({ n, receipts }) => isNumber(n) && Array.isArray(receipts) && receipts.every(isReceipt),
  ans: ({ n, answer }) => isNumber(n) && isAnswer(answer),
  here: ({ sessions }) => Array.isArray(sessions),
  idle: () => true,
  ping: ({ at }) => isNumber(at),
  pong: ({ at, now }) => isNumber(at) && isNumber(now),
}

function isLetter(value: unknown): boolean {
  if (!isObject(value) || !isText(value.id) || typeof value.text !== 'string') return false
  const { silent } = value
  if (silent === undefined) return true
  return (
    isObject(silent) && (silent.ring === 'held' || silent.ring === 'quiet') && isText(silent.why)
  )
}

function isReceipt(value: unknown): boolean {
  return isObject(value) && isText(value.id) && isText(value.stage)
}

function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return false
  const { is, why } = value
  return is === 'arrived' || ((is === 'refused' || is === 'wait') && isText(why))
}
