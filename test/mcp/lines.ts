import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Home } from '../../src/bus/home.ts'
import { cleanEnv, DIST } from '../../src/testing/cli.ts'

/** A server to which lines are written as they are. */
export type Lines = {
  child: ChildProcess
  stderr: () => string
  /** Answers that belong to no request of `request()`. */
  others: Record<string, unknown>[]
  write: (line: string | Buffer) => void
  request: (method: string, params?: object) => Promise<Record<string, unknown>>
  ended: Promise<[number | null, NodeJS.Signals | null]>
}

export function lines(home: Home, name: string): Lines {
  const env = cleanEnv({
    home: home.root,
    env: { AGENT_CHAT_NAME: name, AGENT_CHAT_NOTIFY: 'off' },
  })
  const child = spawn(process.execPath, [join(DIST, 'main.js'), 'mcp'], {
    env,
    cwd: join(home.root, '..'),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>()
  const others: Record<string, unknown>[] = []
  let errors = ''
  let id = 0
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line)
    if (!waiting.has(answer.id)) others.push(answer)
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const write = (line: string | Buffer) => {
    child.stdin.write(line)
    child.stdin.write('\n')
  }
  return {
    child,
    stderr: () => errors,
    others,
    write,
    request: (method, params = {}) => {
      id += 1
      const own = `own-${id}`
      return new Promise((resolve) => {
        waiting.set(own, resolve)
        write(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
      })
    },
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve([code, signal]))),
  }
}

export const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'lines', version: '1' },
}
