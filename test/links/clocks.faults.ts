import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/system/clock.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { SENDERS, sender } from './count.ts'
import { end, inHome, linked, startLink } from './pair.ts'
import { drained, LONG, MESSAGES, page, runCase } from './world.ts'

test('poison', () =>
  runCase('a sender 10 min fast and then 10 min slow, and 6 spoilt files', async (pair) => {
    const link = startLink(pair, LONG)
    const own = systemClock()
    const shifted = (ms: number) => ({
      now: () => own.now() + ms,
      micros: () => own.micros() + ms * 1000,
    })
    const sent = Array.from({ length: MESSAGES / 2 }, sender(pair.a, shifted(-600_000)))
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

/** Node with another clock, as a machine whose clock is off has it. */
const off = (ms: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,globalThis.trueNow=Date.now;Date.now=()=>trueNow()+${ms}`,
})

test.each([
  [600_000, '10 min fast'],
  [-600_000, '10 min slow'],
])('clocks %i', (ms, what) =>
  runCase(
    `the clock of b is ${what}; b answers every 100th message`,
    async (pair) => {
      const link = startLink(pair, LONG)
      await linked(pair)
      const send = sender(pair.a)
      const sent: string[] = []
      const answers: string[] = []
      while (sent.length < MESSAGES) {
        const id = send()
        sent.push(id)
        if (sent.length % 100 !== 0) continue
        await until(
          'the message is there',
          () => filesIn(pair.b.inbox('frontend')).length === sent.length,
          60_000,
        )
        const args = ['reply', `${id}.a`, 'yes', '--as', 'frontend']
        const run = await runCli(args, { home: pair.b.root, env: off(ms) })
        expect(run).toMatchObject({ code: 0 })
        answers.push(id)
      }
      await drained(pair)
      await until(
        'all answers are there',
        () =>
          eventsOf(pair.a, 'sent').filter(({ to }) => SENDERS.includes(String(to))).length ===
          answers.length,
        60_000,
      )
      const older = eventsOf(pair.a, 'sent').filter(
        ({ id, in_reply_to }) => in_reply_to !== undefined && String(id) < String(in_reply_to),
      )
      expect(older).toEqual([])
      const doctor = await inHome(pair.a, 'doctor', '--no-ring')
      expect(doctor.stdout).toMatch(/the clock of b is (599|600|601) s (ahead|behind)/)
      await end(link)
      return { sent, note: `${answers.length} answers, none older than its question` }
    },
    { env: off(ms) },
  ),
)

afterAll(() => {
  process.stdout.write(page.text())
})
