import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { systemClock } from '../../src/system/clock.ts'
import { startCli } from '../../src/testing/cli.ts'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { type Counts, count, SENDERS, sender } from './count.ts'
import { end, inHome, linkArgs, makePair, type Pair, startLink } from './pair.ts'

/** So many messages a case, and so many kills. */
const MESSAGES = Number(process.env.LINKS_MESSAGES ?? 2000)
const KILLS = Number(process.env.LINKS_KILLS ?? 50)
const LONG = { limitMs: 280_000 }

const rows: { name: string; counts: Counts; note: string }[] = []
const figures: string[] = []

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A pair of homes, a case, and its row. */
async function run(
  name: string,
  work: (pair: Pair) => Promise<{ sent: string[]; note: string }>,
  homeOfB?: (root: string) => () => void,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-links-'))
  const undo = homeOfB?.(join(directory, 'b')) ?? (() => {})
  const pair = await makePair(directory, { a: SENDERS, b: ['frontend'] })
  try {
    const { sent, note } = await work(pair)
    const counts = count(pair.b, sent)
    rows.push({ name, counts, note })
    expect(counts).toEqual({ sent: sent.length, lost: 0, twice: 0, order: 0 })
    expect(filesIn(pair.a.out('b'))).toEqual([])
  } finally {
    await pair.sshd.stop()
    undo()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Waits until the queue of b is empty, and gives how long that took, in seconds. */
async function drained(pair: Pair): Promise<number> {
  const began = performance.now()
  await until('all has arrived', () => filesIn(pair.a.out('b')).length === 0, 120_000)
  return (performance.now() - began) / 1000
}

/** The far end of the link into the home of b. */
function farEnds(pair: Pair): number[] {
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

function childrenOf(pid: number | undefined): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {
    // It was just ended by what was killed before.
  }
}

const arrivedAt = (pair: Pair) => statSync(pair.b.history, { throwIfNoEntry: false })?.size ?? 0

test('speed, and what an idle link costs', () =>
  run('nothing goes wrong; 300 of them at 20/s', async (pair) => {
    const link = startLink(pair, LONG)
    const send = sender(pair.a)
    const sent = [send()]
    await drained(pair)
    const waits: number[] = []
    for (let n = 0; n < 300; n += 1) {
      const next = pause(50)
      const id = send()
      const began = performance.now()
      sent.push(id)
      while (filesIn(pair.a.out('b')).length > 0) await pause(1)
      waits.push(performance.now() - began)
      await next
    }
    waits.sort((x, y) => x - y)
    const at = (part: number) => (waits[Math.floor(waits.length * part)] ?? 0).toFixed(1)
    figures.push(`from queued to acknowledged, 20/s: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
    const ticks = () => {
      const stat = readFileSync(`/proc/${link.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return Number(stat[11]) + Number(stat[12])
    }
    const before = ticks()
    await pause(10_000)
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${link.pid}/status`, 'utf8'))?.[1]
    figures.push(
      `idle dialler: ${((ticks() - before) / 10).toFixed(1)} % of a core over 10 s, ${Math.round(Number(rss) / 1024)} MB`,
    )
    await end(link)
    return { sent, note: '' }
  }))

test('offline', () =>
  run('no link while all is sent, then one call of --once', async (pair) => {
    const send = sender(pair.a)
    const sent = Array.from({ length: MESSAGES }, send)
    const began = performance.now()
    const child = startCli(linkArgs(pair, '--once'), { home: pair.a.root, ...LONG })
    await new Promise((done) => child.once('exit', done))
    const seconds = (performance.now() - began) / 1000
    figures.push(
      `a queue of ${MESSAGES} drained at ${Math.round(MESSAGES / seconds)}/s, start included`,
    )
    return { sent, note: `${seconds.toFixed(1)} s` }
  }))

/** Sends all while `harm` is done again and again, each time once something has arrived since. */
async function harmed(
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

test('frozen', () =>
  run('the way freezes for 17 s, once, and is cut 8 times', async (pair) => {
    const sent = await harmed(pair, 9, async (link, time) => {
      const ways = childrenOf(link.pid)
      for (const pid of ways) kill(pid, time === 0 ? 'SIGSTOP' : 'SIGTERM')
      if (time > 0) return link
      await pause(17_000)
      for (const pid of ways) kill(pid, 'SIGCONT')
      return link
    })
    return { sent, note: '' }
  }))

test('two links', () =>
  run('two links at once: one stays, the other calls --once all the time', async (pair) => {
    const link = startLink(pair, LONG)
    const send = sender(pair.a)
    const sent: string[] = []
    let calls = 0
    let over = false
    const calling = (async () => {
      while (!over) {
        await inHome(pair.a, ...linkArgs(pair, '--once'))
        calls += 1
      }
    })()
    while (sent.length < MESSAGES) {
      sent.push(send())
      if (sent.length % 5 === 0) await pause(5)
    }
    over = true
    await calling
    await drained(pair)
    await end(link)
    return { sent, note: `${calls} calls` }
  }))

test('a full disk', () =>
  run(
    'the disk of b is full, then has room again',
    async (pair) => {
      const link = startLink(pair, LONG)
      const send = sender(pair.a)
      const sent = Array.from({ length: MESSAGES }, send)
      let before = -1
      await until(
        'nothing more fits',
        async () => {
          const now = filesIn(pair.b.inbox('frontend')).length
          const stuck = now === before && now > 0
          before = now
          await pause(1500)
          return stuck
        },
        60_000,
      )
      const there = filesIn(pair.b.inbox('frontend')).length
      execFileSync('mount', ['-o', 'remount,size=64m', pair.b.root])
      await drained(pair)
      await end(link)
      return { sent, note: `${there} were there when it was full` }
    },
    (root) => {
      execFileSync('mkdir', ['-p', root])
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', root])
      return () => execFileSync('umount', ['-l', root])
    },
  ))

test('poison and skew', () =>
  run('a clock 10 min fast, then 10 min slow, and 6 spoilt files in the queue', async (pair) => {
    const link = startLink(pair, LONG)
    const own = systemClock()
    const shifted = (ms: number) => ({
      now: () => own.now() + ms,
      micros: () => own.micros() + ms * 1000,
    })
    const slow = sender(pair.a, shifted(-600_000))
    const sent = Array.from({ length: MESSAGES / 2 }, slow)
    const spoilt = ['', 'hello', '---js\n1\n---\n', '\0\0', '---\nfrom: x\n---\n', 'x'.repeat(1e6)]
    for (const [n, text] of spoilt.entries())
      writeFileSync(pair.a.outgoing('b', `20261121T03391${n}.123456Z-from-backend`), text)
    await drained(pair)
    const fast = sender(pair.a, shifted(600_000))
    while (sent.length < MESSAGES) sent.push(fast())
    await drained(pair)
    await end(link)
    return { sent, note: `${filesIn(join(pair.a.peer('b'), 'refused')).length} kept apart` }
  }))

test('kills', () =>
  run(`kill -9 of the dialler, ssh or the far end by turns, ${KILLS} times`, async (pair) => {
    const killed = { dialler: 0, ssh: 0, far: 0 }
    const sent = await harmed(pair, KILLS, async (link, time) => {
      if (time % 3 === 0) {
        killed.dialler += 1
        await end(link, 'SIGKILL')
        return startLink(pair, LONG)
      }
      const victims = time % 3 === 1 ? childrenOf(link.pid) : farEnds(pair)
      killed[time % 3 === 1 ? 'ssh' : 'far'] += victims.length
      for (const pid of victims) kill(pid, 'SIGKILL')
      return link
    })
    return { sent, note: `dialler ${killed.dialler}, ssh ${killed.ssh}, far end ${killed.far}` }
  }))

// After each case: a run that is ended has told what it saw.
afterEach(() => {
  if (process.env.LINKS_WRITE === '1')
    writeFileSync(join(import.meta.dirname, '../../docs/evidence/links.md'), page())
})

afterAll(() => {
  process.stdout.write(page())
})

function page(): string {
  const table = rows.map(
    ({ name, counts: { sent, lost, twice, order }, note }) =>
      `| ${name} | ${sent} | ${lost} | ${twice} | ${order} | ${note} |`,
  )
  return `# What breaks a link, and what is left then

Written by \`LINKS_WRITE=1 npm run links\` (\`test/links/links.faults.ts\`), with a real sshd on 127.0.0.1, Node
${process.versions.node} and Linux ${release()}. Four sessions of home a write to one session of home b. *Lost* is not in the inbox
or not in the history, *twice* is more than once in the history, *out of order* came behind a later one of its sender.

| what happens | sent | lost | twice | out of order | |
|---|---|---|---|---|---|
${table.join('\n')}

${figures.map((figure) => `- ${figure}`).join('\n')}
- load average of the machine at the end, on ${cpus().length} cores: ${loadavg()[0]?.toFixed(1)}
`
}
