import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Home } from '../../src/bus/home.ts'
import { cleanEnv, DIST } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'

/** `agent-chat web`, running on a home. */
export type Served = {
  child: ChildProcess
  address: string
  port: number
  /** The address that opens the page, once. */
  opening: () => string
  /** How long it took to listen, in milliseconds. */
  took: number
  kill: (signal?: NodeJS.Signals) => Promise<void>
}

/** Serves the page of a home as a process of its own; `port` 0 has the system choose one. */
export async function serve(
  home: Home,
  port = 0,
  env: Record<string, string> = {},
): Promise<Served> {
  const began = performance.now()
  const child = spawn(RUNTIME, [join(DIST, 'main.js'), 'web', '--port', String(port), '--json'], {
    env: cleanEnv({ home: home.root, env }),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let failed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    failed += chunk
  })
  await until('the page is served', () => {
    if (child.exitCode !== null) throw new Error(`web ended: ${failed}`)
    return said.includes('\n')
  })
  const took = performance.now() - began
  const { address } = JSON.parse(said) as { address: string }
  return {
    child,
    address,
    took,
    port: Number(new URL(address).port),
    opening: () => /href="([^"]+)"/.exec(readFileSync(home.webOpen, 'utf8'))?.[1] ?? '',
    kill: async (signal = 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}
