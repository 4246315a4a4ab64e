import { readFileSync, rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { Home } from '../bus/home.ts'
import { outcome, type Run, startCli } from './cli.ts'
import { until } from './until.ts'

/** A command that is stopped: it goes on, or is killed, and ends. */
export type Stopped = { goOn: () => Promise<Run>; kill: () => Promise<Run> }

/**
 * Runs a command until it is stopped at a step, as by Ctrl-Z; its lock of the registry is free by
 * then.
 */
export async function stoppedAt(home: Home, step: string, ...args: string[]): Promise<Stopped> {
  const child = startCli(args, { home: home.root, env: { AGENT_CHAT_FAULT: `${step}:stop` } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = outcome(child)
  await until(`${args.join(' ')} to stop`, () =>
    /\) T/.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8')),
  )
  rmSync(`${home.sessions}.lock`, { recursive: true, force: true })
  const signal = (name: NodeJS.Signals) => () => {
    child.kill(name)
    return ended
  }
  return { goOn: signal('SIGCONT'), kill: signal('SIGKILL') }
}
