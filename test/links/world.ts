import type { ChildProcess } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { count, SENDERS, sender } from './count.ts'
import type { Network } from './netns.ts'
import { evidence } from './page.ts'
import { end, makePair, type Pair, startLink } from './pair.ts'

/** So many messages a case, and so many kills. */
export const MESSAGES = Number(process.env.LINKS_MESSAGES ?? 2000)
export const KILLS = Number(process.env.LINKS_KILLS ?? 50)
export const LONG = { limitMs: 280_000 }

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The page of what breaks a link. */
export const page = evidence(
  'links',
  `# What breaks a link, and what is left then

Written by \`LINKS_WRITE=1 npm run links\` (\`test/links/*.faults.ts\`), with a real sshd on this machine,
SYSTEM. Four sessions of home a write to one session of home b. *Lost* is not in
the inbox or not in the history, *twice* is more than once in the history, *out of order* came behind a later one of its
sender.`,
)

/** `home`: makes a home's directory first, a small disk for example, and gives what undoes that. */
export type Around = {
  home?: { of: 'a' | 'b'; make: (root: string) => () => void }
  env?: Record<string, string>
  network?: Network | undefined
  directory?: string
}

/** A pair of homes, a case, and its row. */
export async function runCase(
  name: string,
  work: (pair: Pair) => Promise<{ sent: string[]; note: string }>,
  { home, env, network, directory: where = tmpdir() }: Around = {},
): Promise<void> {
  const directory = mkdtempSync(join(where, 'agent-chat-links-'))
  const undo = home?.make(join(directory, home.of)) ?? (() => {})
  const pair = await makePair(directory, { a: SENDERS, b: ['frontend'] }, env, network)
  try {
    const { sent, note } = await work(pair)
    const counts = count(pair.b, sent)
    page.row(name, counts, note)
    expect(counts).toEqual({ sent: sent.length, lost: 0, twice: 0, order: 0 })
    expect(filesIn(pair.a.out('b'))).toEqual([])
  } finally {
    await pair.sshd.stop()
    undo()
    network?.stop()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A disk of so many megabytes under a home. */
export function smallDisk(megabytes: number): (root: string) => () => void {
  return (root) => {
    execFileSync('mkdir', ['-p', root])
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', root])
    return () => execFileSync('umount', ['-l', root])
  }
}

/** Waits until the queue of b is empty, and gives how long that took, in seconds. */
export async function drained(pair: Pair): Promise<number> {
  const began = performance.now()
  await until('all has arrived', () => filesIn(pair.a.out('b')).length === 0, 200_000)
  return (performance.now() - began) / 1000
}

/** The far end of the link into the home of b. */
export function farEnds(pair: Pair): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const isIt = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('link\0--stdio')
      const env = isIt ? readFileSync(`/proc/${pid}/environ`, 'utf8') : ''
      return env.includes(`AGENT_CHAT_HOME=${pair.b.root}\0`) ? [Number(pid)] : []
    } catch {
      return []
    }
  })
}

export function childrenOf(pid: number | undefined): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {
    // It was just ended by what was killed before.
  }
}

const arrivedAt = (pair: Pair) => statSync(pair.b.history, { throwIfNoEntry: false })?.size ?? 0

/** Sends all while `harm` is done again and again, each time once something has arrived since. */
export async function harmed(
  pair: Pair,
  times: number,
  harm: (link: ChildProcess, time: number) => ChildProcess | Promise<ChildProcess>,
): Promise<string[]> {
  const send = sender(pair.a)
  const sent: string[] = []
  let link = startLink(pair, LONG)
  let begun = 0
  for (let time = 0; time < times; time += 1) {
    const share = Math.ceil(MESSAGES / times)
    for (let n = 0; n < share && sent.length < MESSAGES; n += 1) {
      sent.push(send())
      if (n % 5 === 0) await pause(1)
    }
    await until(
      'something arrives',
      () => arrivedAt(pair) > begun || filesIn(pair.a.out('b')).length === 0,
      60_000,
    )
    link = await harm(link, time)
    begun = arrivedAt(pair)
  }
  while (sent.length < MESSAGES) sent.push(send())
  await drained(pair)
  await end(link)
  return sent
}
