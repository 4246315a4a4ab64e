import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemBus } from '../../src/bus/bus.ts'
import { ensureHome, type Home, homeAt } from '../../src/bus/home.ts'
import { repeatOf } from '../../src/link/repeat.ts'
import { outcome, type Run, startCli } from '../../src/testing/cli.ts'
import { register } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'
import { until } from '../../src/testing/until.ts'
import { noteRepeats } from '../../src/trust/human/repeats.ts'
import type { Network } from './netns.ts'
import { type Sshd, startSshd } from './sshd.ts'

/** Two homes, as two machines have them, with an sshd in front of the second. */
export type Pair = { a: Home; b: Home; sshd: Sshd }

/** Homes `a` and `b` below `directory`, each with these sessions, and the door from a to b. */
export async function makePair(
  directory: string,
  names: { a: string[]; b: string[] },
  env: Record<string, string> = {},
  network?: Pick<Network, 'address' | 'exec'>,
): Promise<Pair> {
  const home = (which: 'a' | 'b') => {
    const made = homeAt(join(directory, which))
    mkdirSync(made.root, { recursive: true })
    ensureHome(made)
    register(made, ...names[which])
    return made
  }
  const [a, b] = [home('a'), home('b')]
  const sshd = await startSshd(
    join(directory, 'ssh'),
    { b: { home: b.root, peer: 'a', env } },
    network,
  )
  return { a, b, sshd }
}

/** Arguments of the link from a to b, which the person has started before at a terminal. */
export function linkArgs({ a, sshd }: Pair, ...more: string[]): string[] {
  const bus = systemBus({ AGENT_CHAT_HOME: a.root })
  noteRepeats(bus, [repeatOf({ target: 'b', as: 'a', peer: 'b', ssh: sshd.ssh('b') }, bus)])
  return ['link', 'b', '--as', 'a', '--peer', 'b', ...more, '--', ...sshd.ssh('b')]
}

/** The link as a process. `limitMs`: it is killed after that, so that nothing outlives a test. */
export function startLink(
  pair: Pair,
  { limitMs = 60_000, env = {} }: { limitMs?: number; env?: Record<string, string> } = {},
): ChildProcess {
  return startCli(linkArgs(pair), { home: pair.a.root, limitMs, env })
}

/** Ends a process, and gives what it printed. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<Run> {
  const ended = outcome(child)
  child.kill(signal)
  return ended
}

/** Runs a command in one of the homes. */
export function inHome(home: Home, ...args: string[]): Promise<Run> {
  return runAsOwner(args, { home: home.root })
}

/** Waits until both sides know each other. */
export function linked(pair: Pair): Promise<unknown> {
  return until(
    'the link is up',
    async () => {
      const { stdout } = await inHome(pair.a, 'links', '--json')
      return JSON.parse(stdout).links?.[0]?.up === true
    },
    20_000,
  )
}
