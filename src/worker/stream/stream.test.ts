import { appendFileSync, existsSync, statSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'
import { followStream } from './follow.ts'
import { olderStream, openStream, type StreamLine } from './stream.ts'

const token = (text: string) => ({ event: 'token', text }) as const

function follow(bus: Bus, message: string, from?: number) {
  const lines: StreamLine[] = []
  const following = followStream(
    { name: 'coder', message, from, onLine: (line) => lines.push(line) },
    { bus: () => bus },
  )
  onTestFinished(following.stop)
  const text = () => lines.map((line) => (line.event === 'token' ? line.text : '|')).join('')
  return { lines, text, ...following }
}

test('a reader gets the events of its message as they come, and its end', async () => {
  const bus = tempBus(['coder'])
  openStream(bus, 'coder', 'other').write(token('no'))
  const stream = openStream(bus, 'coder', 'mine')
  stream.write({ event: 'start', attempt: 1 })
  const reader = follow(bus, 'mine')
  expect(reader.text()).toBe('|')
  stream.write(token('Hello '))
  await until('the first token', () => reader.text() === '|Hello ')
  stream.write(token('you'))
  stream.write({ event: 'done', outcome: 'answered', answer: 'id' })
  await reader.done
  expect(reader.text()).toBe('|Hello you|')
  expect(reader.lines.map(({ n }) => n)).toEqual([0, 1, 2, 3])
})

test('a reader that was cut goes on where it was, after a crash of the worker too', () => {
  const bus = tempBus(['coder'])
  const first = openStream(bus, 'coder', 'mine')
  for (const text of ['a', 'b', 'c']) first.write(token(text))
  appendFileSync(bus.home.workerStream('coder'), '{"message":"mine","n":3,"ev')
  const cut = follow(bus, 'mine', 2)
  expect(cut.text()).toBe('c')
  const second = openStream(bus, 'coder', 'mine')
  second.write({ event: 'start', attempt: 2 })
  cut.look()
  expect(cut.text()).toBe('c|')
})

test('the files are bounded, and no reader loses an event as one is put aside', () => {
  const bus = tempBus(['coder'])
  const stream = openStream(bus, 'coder', 'mine')
  const reader = follow(bus, 'mine')
  const path = bus.home.workerStream('coder')
  const long = 'x'.repeat(100_000)
  for (let at = 0; at < 40; at += 1) {
    stream.write(token(long))
    if (at % 7 === 0) reader.look()
  }
  reader.look()
  expect(reader.lines.map(({ n }) => n)).toEqual([...Array(40).keys()])
  expect(existsSync(olderStream(path))).toBe(true)
  for (const file of [path, olderStream(path)])
    expect(statSync(file).size).toBeLessThan(1024 * 1024 + 200_000)
})
