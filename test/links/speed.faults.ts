import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cleanEnv, DIST, startCli } from '../../src/testing/cli.ts'
import { sender } from './count.ts'
import { usedBy } from './measure.ts'
import { end, inHome, linkArgs, linked, startLink } from './pair.ts'
import { drained, farEnds, LONG, MESSAGES, page, pause, runCase } from './world.ts'

test('speed', () =>
  runCase('nothing goes wrong; 300 of them at 20/s', async (pair) => {
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
      while (existsSync(pair.a.outgoing('b', id))) await pause(1)
      waits.push(performance.now() - began)
      await next
    }
    waits.sort((x, y) => x - y)
    const at = (part: number) => (waits[Math.floor(waits.length * part)] ?? 0).toFixed(1)
    page.figure('from queued to arrived, 20/s', `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
    const ends = { dialler: link.pid ?? 0, 'far end': farEnds(pair)[0] ?? 0 }
    const before = Object.values(ends).map(usedBy)
    await pause(30_000)
    for (const [n, [what, pid]] of Object.entries(ends).entries()) {
      const { seconds, megabytes } = usedBy(pid)
      const share = (((seconds - (before[n]?.seconds ?? 0)) / 30) * 100).toFixed(2)
      page.figure(`idle ${what}`, `${share} % of a core over 30 s, ${Math.round(megabytes)} MB`)
    }
    await end(link)
    return { sent, note: '' }
  }))

test('offline', () =>
  runCase('no link while all is sent, then one call of --once', async (pair) => {
    const send = sender(pair.a)
    const sent = Array.from({ length: MESSAGES }, send)
    const began = performance.now()
    const child = startCli(linkArgs(pair, '--once'), { home: pair.a.root, ...LONG })
    await new Promise((done) => child.once('exit', done))
    const seconds = (performance.now() - began) / 1000
    page.figure(
      `a queue of ${MESSAGES} drained, start included`,
      `${Math.round(MESSAGES / seconds)}/s`,
    )
    return { sent, note: `${seconds.toFixed(1)} s` }
  }))

test('send', () =>
  runCase('60 sends from the command line, and 60 to a session here', async (pair) => {
    const link = startLink(pair, LONG)
    await linked(pair)
    await end(link)
    const waits: Record<string, number[]> = { docs: [], 'frontend.b': [] }
    const sent: string[] = []
    for (let n = 0; n < 62; n += 1)
      for (const to of Object.keys(waits)) {
        const began = performance.now()
        const run = await inHome(pair.a, 'send', `@${to}`, `n ${n}`, '--as', 'human', '--json')
        expect(run).toMatchObject({ code: 0 })
        if (n > 1) waits[to]?.push(performance.now() - began)
        const { id } = JSON.parse(run.stdout)
        if (to === 'frontend.b') sent.push(id)
      }
    const median = (all: number[] = []) => all.sort((x, y) => x - y)[all.length >> 1] ?? 0
    const [here, there] = [median(waits.docs), median(waits['frontend.b'])]
    page.figure(
      'send to another machine and to a session here',
      `${there.toFixed(1)} and ${here.toFixed(1)} ms, ${(there / here).toFixed(2)} times as long`,
    )
    await inHome(pair.a, ...linkArgs(pair, '--once'))
    return { sent, note: '' }
  }))

/** So many files wait before the link is there. Both homes are in memory: the disk is not the point. */
const QUEUE = Number(process.env.LINKS_QUEUE ?? 100_000)

test('a large queue', () =>
  runCase(
    `${QUEUE} wait before the link is there`,
    async (pair) => {
      const sent = Array.from({ length: QUEUE }, sender(pair.a))
      const log = join(pair.a.root, '../strace.log')
      const strace = ['-f', '--seccomp-bpf', '-y', '-e', 'trace=getdents64', '-o', log]
      const began = performance.now()
      const [main, ...args] = [join(DIST, 'main.js'), ...linkArgs(pair, '--once')]
      execFileSync('strace', [...strace, process.execPath, main, ...args], {
        env: cleanEnv({ home: pair.a.root }),
        stdio: 'ignore',
      })
      const seconds = (performance.now() - began) / 1000
      const whole = readFileSync(log, 'utf8').split('\n')
      const lists = whole.filter((line) => line.includes('/out>') && / = 0$/.test(line)).length
      page.figure(
        `a queue of ${QUEUE} drained, in memory`,
        `${Math.round(QUEUE / seconds)}/s; the queue was listed ${lists} times in ${seconds.toFixed(0)} s`,
      )
      expect(lists).toBeGreaterThan(0)
      expect(lists).toBeLessThanOrEqual(seconds + 2)
      return { sent, note: `listed ${lists} times in ${seconds.toFixed(0)} s` }
    },
    { directory: '/dev/shm' },
  ))

afterAll(() => {
  process.stdout.write(page.text())
})
