import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'

/** A connection that is asked and answers. `call` rejects for an error, an end, and after 5 s. */
export type RpcSocket = {
  call: (method: string, params: object) => Promise<unknown>
  notify: (method: string) => void
  close: () => void
  isOpen: () => boolean
}

/** How long an answer may take. In milliseconds. */
const ANSWER_MS = 5000

/** Longer than any answer. In bytes. */
const MAX_BYTES = 64 * 1024 * 1024

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

/**
 * Connects to a server on a unix socket that speaks JSON-RPC in WebSocket frames (RFC 6455).
 * `onNotice` learns the names of what the server says by itself. The connection keeps no process
 * alive.
 */
export async function openRpcSocket(
  path: string,
  onNotice: (method: string) => void,
): Promise<RpcSocket> {
  const socket = await upgrade(realpathSync(path))
  const waiting = new Map<number, Waiting>()
  let [open, last] = [true, 0]
  const end = () => {
    open = false
    for (const { reject } of waiting.values()) reject(new Error('the connection ended'))
    waiting.clear()
    socket.destroy()
  }
  const say = (message: object) =>
    open && socket.write(frame(1, Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))))
  const read = frameReader({
    text: (text) => settle(text, waiting, onNotice),
    ping: (data) => socket.write(frame(10, data)),
    end,
  })
  socket.on('data', read)
  socket.on('error', end)
  socket.on('close', end)
  return {
    call: (method, params) =>
      new Promise((resolve, reject) => {
        if (!open) return reject(new Error('the connection ended'))
        last += 1
        const id = last
        const late = setTimeout(() => waiting.get(id)?.reject(new Error('no answer')), ANSWER_MS)
        const done =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            clearTimeout(late)
            waiting.delete(id)
            then(value)
          }
        waiting.set(id, { resolve: done(resolve), reject: done(reject) })
        say({ id, method, params })
      }),
    notify: (method) => say({ method }),
    close: end,
    isOpen: () => open,
  }
}

function upgrade(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asked = request({
      socketPath,
      path: '/',
      timeout: ANSWER_MS,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        Host: 'localhost',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
    })
    asked.on('error', reject)
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('response', ({ statusCode }) => reject(new Error(`the server said ${statusCode}`)))
    asked.on('upgrade', (_, stream, head) => {
      // Of a plain connection, it is its socket.
      const socket = stream as Socket
      socket.setTimeout(0)
      socket.unref()
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asked.end()
  })
}

function settle(
  text: string,
  waiting: Map<number, Waiting>,
  onNotice: (method: string) => void,
): void {
  let value: { id?: unknown; method?: unknown; result?: unknown; error?: { message?: unknown } }
  try {
    value = JSON.parse(text)
  } catch {
    return
  }
  if (typeof value.method === 'string') onNotice(value.method)
  const asked = typeof value.id === 'number' ? waiting.get(value.id) : undefined
  if (value.error) asked?.reject(new Error(String(value.error.message)))
  else if ('result' in value) asked?.resolve(value.result)
}

/** A client's frame: all of it in one, masked, as the protocol wants it. */
function frame(kind: 1 | 10, data: Buffer): Buffer {
  const mask = randomBytes(4)
  const masked = Buffer.from(data.map((byte, at) => byte ^ (mask[at & 3] ?? 0)))
  return Buffer.concat([Buffer.from([128 | kind]), length(data.length), mask, masked])
}

function length(bytes: number): Buffer {
  if (bytes < 126) return Buffer.from([128 | bytes])
  if (bytes < 65_536) return Buffer.from([128 | 126, bytes >> 8, bytes & 255])
  const long = Buffer.alloc(9)
  long[0] = 128 | 127
  long.writeBigUInt64BE(BigInt(bytes), 1)
  return long
}

type Heard = { text: (text: string) => void; ping: (data: Buffer) => void; end: () => void }

/** Takes bytes as they come and tells of whole messages. */
function frameReader({ text, ping, end }: Heard): (chunk: Buffer) => void {
  let held = Buffer.alloc(0)
  let parts: Buffer[] = []
  return (chunk) => {
    held = Buffer.concat([held, chunk])
    if (held.length > MAX_BYTES) return end()
    for (let one = firstFrame(held); one; one = firstFrame(held)) {
      held = held.subarray(one.size)
      if (one.kind === 8) return end()
      if (one.kind === 9) ping(one.data)
      if (one.kind > 2) continue
      parts.push(one.data)
      if (!one.isLast) continue
      text(Buffer.concat(parts).toString('utf8'))
      parts = []
    }
  }
}

function firstFrame(held: Buffer) {
  const [first = 0, second = 0] = held
  const short = second & 127
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (held.length < start) return undefined
  const bytes =
    short === 126 ? held.readUInt16BE(2) : short === 127 ? Number(held.readBigUInt64BE(2)) : short
  const size = start + bytes
  if (held.length < size) return undefined
  return { kind: first & 15, isLast: first >= 128, data: held.subarray(start, size), size }
}
