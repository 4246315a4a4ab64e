import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Home } from '../../src/bus/home.ts'
import { formatId } from '../../src/message/id.ts'
import type { Message } from '../../src/message/message.ts'
import { serializeMessage } from '../../src/message/serialize.ts'
import { toWire } from '../../src/message/wire.ts'
import { cleanEnv, DIST, outcome } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'

type Frame = { f: string; [field: string]: unknown }

/** The far end of a link, spoken to by hand as machine `a` would, or as none ever should. */
export function farEnd(home: Home, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(DIST, 'main.js'), 'link', '--stdio', '--peer', 'a'], {
    env: cleanEnv({ home: home.root, env }),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  child.stdin.on('error', () => {})
  const frames: Frame[] = []
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) frames.push(JSON.parse(line))
  })
  const ended = outcome(child)
  const say = (frame: Frame | string) =>
    child.stdin.write(typeof frame === 'string' ? frame : `${JSON.stringify(frame)}\n`)
  const hear = (f: string, n?: number) =>
    until(`a frame ${f}`, () =>
      frames.find((one) => one.f === f && (n === undefined || one.n === n)),
    )
  const hello = (more: Partial<Frame> = {}) =>
    say({
      ...{ f: 'hello', v: 1, host: 'a', home: 'home-of-a', to: 'b', sure: true, version: '1.0.0' },
      ...{ at: Date.now(), ...more },
    })
  return { say, hear, hello, frames, ended, hangUp: () => child.stdin.end() }
}

let number = 0

/** A message to @frontend on b, as machine a sends it. */
export function letter(body: string, fields: Partial<Message> = {}) {
  number += 1
  const id = fields.id ?? formatId(Date.now() * 1000 + number, 'backend')
  const message: Message = {
    ...{ id, from: 'backend', to: 'frontend.b', timestamp: '2026-11-21T03:39:12.123Z' },
    ...{ kind: 'note', thread: id, chain: id, hops: 0, body, extra: {} },
    ...fields,
  }
  const wire = toWire(message, 'a')
  return { id: wire.id, text: serializeMessage(wire) }
}
