import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SESSIONS, writeOldMessages } from '../../bench/archive.mjs'
import { ensureInbox } from '../../src/bus/home.ts'
import { attach, type ConsoleSeat, roomProcess, sitDown, tell } from './consoleWorld.ts'

/** Three times as many in a minute as a room has to bear. */
const MESSAGES = 500
const EVERY_MS = 20
/** So many are in the home before it is opened. */
const BEFORE = 5000
/** The most memory that the room may take, in MB, as the system counts it (resident). */
const LIMIT_MB = 120
/** Before a key is seen, fewer messages than this may come: half a second's worth. */
const LATE_MESSAGES = 25

/**
 * Letters that are in no message, each but once, so that it is known when it comes back: Cyrillic
 * and Greek.
 */
const LETTERS = (
  [
    [0x430, 32],
    [0x3b1, 25],
  ] as const
).flatMap(([first, count]) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(first + at)),
)

/**
 * A second pair of eyes on the server, which is told of each byte: looking at the screen again and
 * again would cost more than what is measured.
 */
async function openEcho(seat: ConsoleSeat) {
  const { pane } = seat
  const client = await attach(seat)
  let seen = ''
  const waiting = new Set<() => void>()
  // As bytes: a letter may come in two pieces, and each in a line of its own.
  client.stdout.setEncoding('latin1')
  client.stdout.on('data', (chunk: string) => {
    seen += chunk
    for (const look of waiting) look()
  })
  const drawn = () =>
    [...seen.matchAll(/^%output %\d+ ([^\n]*)/gm)].map(([, text]) => text).join('')
  /** Types one letter and gives the milliseconds until it was drawn. */
  return async (letter: string): Promise<number> => {
    seen = ''
    const typed = performance.now()
    client.stdin.write(`send-keys -t ${pane.id} -l ${letter}\n`)
    const bytes = Buffer.from(letter).toString('latin1')
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!drawn().includes(bytes)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
    })
    return performance.now() - typed
  }
}

function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

function middle(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

test(`${MESSAGES} messages in ${(MESSAGES * EVERY_MS) / 1000} s, after ${BEFORE} before: every key is seen at once, and the room stays small`, async () => {
  const seat = await sitDown({
    before: (bus) => {
      for (const name of SESSIONS) ensureInbox(bus.home, name)
      writeOldMessages(bus.home.root, BEFORE)
    },
  })
  const echo = await openEcho(seat)
  const { pid } = await roomProcess(seat)
  const [first] = [residentMb(pid)]
  let sent = 0
  const flood = async () => {
    for (const start = performance.now(); sent < MESSAGES; sent += 1) {
      const [from, to] =
        sent % 2 === 0
          ? ['backend', 'frontend']
          : ['frontend', sent % 20 === 1 ? 'human' : 'backend']
      tell(
        seat.bus,
        from ?? '',
        to ?? '',
        `message ${sent}: GET /tasks answers 日本語 🎉 and says what fills a line of the room\nand one more`,
      )
      await delay(Math.max(0, start + sent * EVERY_MS - performance.now()))
    }
  }
  const flooded = flood()
  const lags: number[] = []
  const late: number[] = []
  for (const letter of LETTERS) {
    const before = sent
    lags.push(await echo(letter))
    late.push(sent - before)
    await delay(100)
  }
  await flooded
  await seat.pane.waitFor(new RegExp(`message ${MESSAGES - 1}:`))
  const last = residentMb(pid)
  const text = (value: number) => value.toFixed(0)
  console.log(
    `console: key to echo median ${middle(lags, 0.5).toFixed(1)} ms, 95 % ${text(middle(lags, 0.95))} ms; ` +
      `memory ${text(first)} MB at first, ${text(last)} MB after ${MESSAGES} messages`,
  )
  expect((await seat.lines()).at(-2) ?? '').toContain(LETTERS.slice(-20).join(''))
  expect(middle(late, 0.95)).toBeLessThan(LATE_MESSAGES)
  expect(last).toBeLessThan(LIMIT_MB)
}, 180_000)
