import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { midnight } from '../message/time.ts'
import { tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { openTokensUsed } from './tokensUsed.ts'

const HOUR = 3_600_000
const NOON = midnight(Date.now()) + 12 * HOUR
const iso = (time: number) => new Date(time).toISOString()

/** A line of the record as Claude Code 2.1.329 writes it: three tokens in, some into its cache, some out. */
function answer(id: string, output: number, time = NOON, more: object = {}): string {
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 50_000,
    output_tokens: output,
  }
  const message = { id, type: 'message', role: 'assistant', content: [], usage }
  const entry = { parentUuid: null, message, type: 'assistant', timestamp: iso(time), ...more }
  return `${JSON.stringify(entry)}\n`
}
const IN = 103

/** A session with a record; `tokens` waits until what is in the record is known. */
function session(text = '', names = ['one.jsonl']) {
  const directory = tempDirectory()
  const paths = names.map((name) => join(directory, name))
  const [path = ''] = paths
  writeFileSync(path, text)
  let now = NOON
  const faults: unknown[] = []
  const used = openTokensUsed(
    { now: () => now },
    () => {},
    (error) => void faults.push(error),
  )
  const of = () => used.of('backend', paths)
  return {
    path,
    paths,
    directory,
    used,
    of,
    at: (time: number) => {
      now = time
    },
    becomes: async (count: number) => {
      await until(`it is ${count}`, () => of() === count)
      expect(faults).toEqual([])
    },
  }
}

describe('the tokens of today', () => {
  test('are what was new to the model and what it said; an answer on several lines counts once, as it ended', async () => {
    const { becomes, path } = session(answer('a', 1) + answer('a', 7) + answer('b', 5))
    await becomes(2 * IN + 12)
    appendFileSync(path, answer('b', 5) + answer('c', 1))
    await becomes(3 * IN + 13)
  })

  test('count a line when it is whole, also where its letters are cut', async () => {
    const { becomes, path, of, used } = session(answer('a', 1))
    await becomes(IN + 1)
    const bytes = Buffer.from(answer('b', 2, NOON, { text: '“ß”' }))
    const half = bytes.indexOf('“') + 1
    expect(used.grew()).toBe(true)
    appendFileSync(path, bytes.subarray(0, half))
    expect(used.grew()).toBe(true)
    expect(used.grew()).toBe(false)
    expect(of()).toBe(IN + 1)
    appendFileSync(path, bytes.subarray(half))
    await becomes(2 * IN + 3)
  })

  test('begin at midnight, and anew with each day, also after a clock that was set back', async () => {
    const evening = midnight(NOON) - 1
    const { becomes, path, at } = session(answer('a', 1, evening) + answer('b', 2, evening + 1))
    await becomes(IN + 2)
    const tomorrow = midnight(NOON + 24 * HOUR)
    at(tomorrow + HOUR)
    appendFileSync(path, answer('c', 3, tomorrow))
    utimesSync(path, tomorrow / 1000, tomorrow / 1000)
    await becomes(IN + 3)
    at(evening)
    await becomes(3 * IN + 6)
  })

  test('go on in a record that was replaced; what it repeats counts once', async () => {
    const { becomes, path, directory } = session(answer('a', 1) + answer('b', 2))
    await becomes(2 * IN + 3)
    const other = join(directory, 'other')
    writeFileSync(other, answer('b', 2) + answer('c', 4))
    renameSync(other, path)
    await becomes(3 * IN + 7)
    writeFileSync(path, answer('d', 8))
    await becomes(4 * IN + 15)
  })

  test('are of all its conversations, and of their subagents', async () => {
    const { becomes, directory } = session(answer('a', 1), ['one.jsonl', 'two.jsonl'])
    mkdirSync(join(directory, 'one/subagents'), { recursive: true })
    writeFileSync(join(directory, 'one/subagents/agent-1.jsonl'), answer('s', 9))
    // A conversation that goes on from another one has its lines.
    writeFileSync(join(directory, 'two.jsonl'), answer('a', 1) + answer('b', 2))
    await becomes(3 * IN + 12)
  })

  test('are found at the end of a long record of many days', async () => {
    const filler = `${JSON.stringify({ type: 'user', text: 'x'.repeat(50_000) })}\n`
    const days = Array.from(
      { length: 60 },
      (_, day) => answer(`old${day}`, 1, NOON - (60 - day) * HOUR * 24) + filler,
    )
    const { becomes, path } = session(
      `${days.join('')}${answer('a', 1)}${filler.repeat(40)}${answer('b', 2)}`,
    )
    await becomes(2 * IN + 3)
    appendFileSync(path, answer('c', 3))
    await becomes(3 * IN + 6)
  })

  test('pass over a line without an end, and what is none of an answer', async () => {
    const { becomes, path } = session(answer('a', 1))
    await becomes(IN + 1)
    const huge = `{"type":"assistant","usage":"${'x'.repeat(5 * 1024 * 1024)}`
    appendFileSync(path, huge)
    appendFileSync(path, `${huge}\n${answer('b', 2)}`)
    await becomes(2 * IN + 3)
    const odd = [
      '{"type":"assistant","usage":',
      '"assistant" "usage"',
      JSON.stringify({ type: 'user', toolUseResult: { role: 'assistant', usage: {} } }),
      answer('c', 5, NOON, { type: 'user', what: 'assistant' }).trim(),
      answer('d', 5, NOON, { timestamp: 'soon' }).trim(),
      answer('e', -5).replace('100', '1e999').trim(),
      answer('f', 0.5)
        .replace('"input_tokens":3', '"input_tokens":"3"')
        .replace('100', '{}')
        .trim(),
      answer('g', 1),
    ]
    appendFileSync(path, odd.join('\n'))
    // Of `e` the three that it was asked with, of `g` all.
    await becomes(3 * IN + 3 + 4)
  })

  test('are not known where there is no record, no file, or nothing of today', async () => {
    const { used, directory, becomes, paths, path } = session(answer('a', 1, NOON - 48 * HOUR))
    paths.push(directory, join(directory, 'none.jsonl'), join(path, 'below'), '/dev/zero')
    expect(used.of('frontend', [])).toBeNull()
    expect(used.of('docs', [directory, '/dev/zero'])).toBeNull()
    appendFileSync(path, answer('b', 2))
    await becomes(IN + 2)
    expect(used.of('docs', [directory, '/dev/zero'])).toBeNull()
  })
})
