import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
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
  await until(`${args.join(' ')} to stop`, () => isStopped(child.pid))
  rmSync(`${home.sessions}.lock`, { recursive: true, force: true })
  const signal = (name: NodeJS.Signals) => () => {
    child.kill(name)
    return ended
  }
  return { goOn: signal('SIGCONT'), kill: signal('SIGKILL') }
}

/**
 * Whether a process stands still. A command that stops itself at a step does so a moment after what
 * it has done there can be seen: to go on, it must have stopped.
 */
export function isStopped(pid = 0): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.startsWith('T')
}
