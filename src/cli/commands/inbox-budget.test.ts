import { describe, expect, test } from 'vitest'
import type { Home } from '../../bus/home.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { shortId } from '../../message/shortId.ts'
import { runCli } from '../../testing/cli.ts'
import { tempBus } from '../../testing/home.ts'
import { putInInbox } from '../../testing/message.ts'

const run = (home: Home, ...args: string[]) =>
  runCli(args, { home: home.root, env: { AGENT_CHAT_NAME: 'frontend' } })

function world(...bodies: string[]) {
  const bus = tempBus(['backend', 'frontend'])
  const ids = bodies.map(
    (body, at) =>
      sendMessage(bus, {
        from: 'backend',
        to: 'frontend',
        kind: 'note',
        body,
        subject: `number ${at}`,
      }).message.id,
  )
  return { home: bus.home, ids }
}

const long = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `line ${at + 1} of a long handover`).join('\n')

describe('inbox, with more unread than it prints', () => {
  test('prints at most 8 KB; what has only its name printed stays unread, and comes with the next ones', async () => {
    const bodies = Array.from({ length: 30 }, (_, at) => `body ${at}\n${'x'.repeat(700)}`)
    const { home, ids } = world(...bodies)
    let seen = 0
    for (let round = 0; seen < ids.length; round += 1) {
      expect(round).toBeLessThan(10)
      const { stdout, stderr } = await run(home, 'inbox')
      expect(stderr).toBe('')
      expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(8192)
      const left = unreadIds(home, 'frontend')
      const shown = ids.slice(seen, ids.length - left.length)
      expect(shown.length).toBeGreaterThan(0)
      for (const id of shown) expect(stdout).toContain(`── end ${shortId(id)} ──`)
      expect(left).toEqual(ids.slice(seen + shown.length))
      if (left.length > 0) {
        expect(stdout).toContain(
          `\n${left.length} more unread: agent-chat inbox (all at once: --full)\n`,
        )
        expect(stdout).toContain(
          `\n  ${shortId(left[0] ?? '')} @backend · note · 70${seen + shown.length < 10 ? 7 : 8} bytes · "number ${seen + shown.length}"\n`,
        )
      }
      seen += shown.length
    }
    expect((await run(home, 'inbox')).stdout).toBe('no unread messages for @frontend\n')
  })

  test('names by time what it does not print, quiet messages among them, behind urgent ones', async () => {
    const bus = tempBus(['backend', 'frontend'])
    const why = { ring: 'quiet', why: 'sent --quiet' } as const
    const send = (more = {}) =>
      sendMessage(bus, {
        ...{ from: 'backend', to: 'frontend', kind: 'note', body: 'x'.repeat(1500) },
        ...more,
      }).message.id
    const sent = [{ silent: why }, {}, { silent: why }, {}, {}].map((more) => send(more))
    const urgent = send({ extra: { priority: 'urgent' } })
    const { stdout } = await run(bus.home, 'inbox', '--json', '--budget', '5000')
    const { messages, rest } = JSON.parse(stdout)
    const ids = (of: { id: string }[]) => of.map(({ id }) => id)
    expect(ids(messages)).toEqual([urgent, sent[1]])
    expect(ids(rest)).toEqual([sent[0], sent[2], sent[3], sent[4]])
  })

  test('cuts a body that alone is too long, which counts as read; show gives the lines that are missing', async () => {
    const { home, ids } = world(long(1000), 'the next')
    const { stdout } = await run(home, 'inbox')
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(8192)
    const [, more, id, from] =
      /\n… (\d+) more lines: agent-chat show (\S+) --lines (\d+)-\n/.exec(stdout) ?? []
    expect(id).toBe(shortId(ids[0] ?? ''))
    expect(Number(more) + Number(from)).toBe(1001)
    expect(stdout).toContain(
      `\nline ${Number(from) - 1} of a long handover\n── end ${shortId(ids[0] ?? '')} ──\n`,
    )
    expect(unreadIds(home, 'frontend')).toEqual(ids.slice(1))
    const rest = await run(home, 'show', String(id), '--lines', `${from}-`)
    expect(rest.stdout).toMatch(new RegExp(`^lines ${from} to 1000 of 1000:\n`))
    expect(rest.stdout).toContain(`\n\nline ${from} of a long handover\n`)
    expect(rest.stdout).toContain('\nline 1000 of a long handover\n── end ')
  })

  test('--full prints all of it, --budget another measure, and both are bad usage', async () => {
    const { home, ids } = world(long(1000), long(1000))
    const some = await run(home, 'inbox', '--peek', '--budget', '2000')
    expect(Buffer.byteLength(some.stdout)).toBeLessThanOrEqual(2000)
    expect(some.stdout).toContain('1 more unread: agent-chat inbox --peek --full\n')
    expect(unreadIds(home, 'frontend')).toEqual(ids)
    expect(await run(home, 'inbox', '--full', '--budget', '2000')).toMatchObject({
      code: 2,
      stdout: '',
    })
    const all = await run(home, 'inbox', '--full')
    expect(all.stdout.match(/line 1000 of/g)).toHaveLength(2)
    expect(unreadIds(home, 'frontend')).toEqual([])
  })

  test.each(['0', '1023', '-1', 'x', '8K', ''])('--budget %j is bad usage', async (budget) => {
    expect(await run(world('one').home, 'inbox', '--budget', budget)).toMatchObject({
      code: 2,
      stdout: '',
    })
  })

  test('--json is whole, unless a budget is asked for: then it says what it left out', async () => {
    const { home, ids } = world(long(1000), 'two', 'three')
    const whole = JSON.parse((await run(home, 'inbox', '--json', '--peek')).stdout)
    expect(whole.messages.map(({ body }: { body: string }) => body)).toEqual([
      long(1000),
      'two',
      'three',
    ])
    expect(whole).not.toHaveProperty('rest')
    const { stdout } = await run(home, 'inbox', '--json', '--budget', '2000')
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(2000)
    const cut = JSON.parse(stdout)
    expect(cut).toMatchObject({ unread: 3, messages: [{ id: ids[0], cut: { of: 1000 } }], more: 0 })
    expect(cut.messages[0].body).toBe(long(cut.messages[0].cut.lines))
    expect(cut.rest).toEqual([
      { id: ids[1], from: 'backend', kind: 'note', subject: 'number 1', bytes: 3 },
      { id: ids[2], from: 'backend', kind: 'note', subject: 'number 2', bytes: 5 },
    ])
    expect(unreadIds(home, 'frontend')).toEqual(ids.slice(1))
  })

  test('a message among the rest that is none is named, and the others are still printed', async () => {
    const { home, ids } = world('x'.repeat(9000), 'two')
    putInInbox(home, 'frontend', '20260101T000000.000000Z-from-backend.md', 'torn')
    const { stdout, stderr } = await run(home, 'inbox')
    expect(stderr).toContain('is not a message')
    expect(stdout).toContain(`  ${shortId(ids[1] ?? '')} @backend · note · 3 bytes`)
    expect(unreadIds(home, 'frontend')).toEqual(ids.slice(1))
  })
})

describe('show --lines', () => {
  test.each([
    ['2-3', 'two\nthree', 'lines 2 to 3 of 4'],
    ['3-', 'three\nfour', 'lines 3 to 4 of 4'],
    ['-2', 'one\ntwo', 'lines 1 to 2 of 4'],
    ['4', 'four', 'lines 4 to 4 of 4'],
    ['1-99', 'one\ntwo\nthree\nfour', 'lines 1 to 4 of 4'],
  ])('%s gives those lines', async (range, body, head) => {
    const { home, ids } = world('one\ntwo\nthree\nfour')
    const { stdout } = await run(home, 'show', String(ids[0]), '--lines', range)
    expect(stdout.startsWith(`${head}:\n`)).toBe(true)
    expect(stdout).toContain(`\n\n${body}\n── end`)
    const json = JSON.parse(
      (await run(home, 'show', String(ids[0]), '--lines', range, '--json')).stdout,
    )
    expect(json).toMatchObject({ body, lines: { of: 4 } })
  })

  test.each(['0', '3-2', 'x', '', '-', '5', '1-2-3', '1.5'])('%j is bad usage', async (range) => {
    const { home, ids } = world('one\ntwo\nthree\nfour')
    expect(await run(home, 'show', String(ids[0]), '--lines', range)).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})
