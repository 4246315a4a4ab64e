import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sendMessage } from '../../bus/mail/send.ts'
import { outcome, runCli, startCli } from '../../testing/cli.ts'
import { fixedClock } from '../../testing/clock.ts'
import { tempBus } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'
import { until } from '../../testing/until.ts'

function world(count: number) {
  const bus = tempBus(['backend', 'frontend', 'docs'])
  const send = (body: string, from = 'backend') =>
    sendMessage(bus, { from, to: 'frontend', kind: 'note', body }).message
  return { bus, send, sent: Array.from({ length: count }, (_, at) => send(`m${at}`)) }
}

const history = (home: string, ...args: string[]) => runCli(['history', ...args], { home })

describe('history', () => {
  test('gives the last 20, oldest first, or as many as asked', async () => {
    const { bus } = world(25)
    const { stdout } = await history(bus.home.root)
    expect(stdout.match(/ m\d+$/gm)).toEqual(Array.from({ length: 20 }, (_, at) => ` m${at + 5}`))
    expect((await history(bus.home.root, '2')).stdout.match(/ m\d+$/gm)).toEqual([' m23', ' m24'])
    expect((await history(bus.home.root, '0')).stdout).toBe('')
  })

  test('--json gives what the log has, and the message', async () => {
    const { bus, sent } = world(1)
    expect(JSON.parse((await history(bus.home.root, '--json')).stdout)).toEqual({
      messages: [
        {
          at: expect.any(String),
          event: 'sent',
          id: sent[0]?.id,
          from: 'backend',
          to: 'frontend',
          kind: 'note',
          thread: sent[0]?.id,
          chain: sent[0]?.id,
          hops: 0,
          bytes: 2,
          preview: 'm0',
          timestamp: sent[0]?.timestamp,
          body: 'm0',
        },
      ],
    })
  })

  test('says of a message that it is held until it is released or read', async () => {
    const { bus } = world(0)
    const why = '4 messages on this chain'
    const hold = (to: string, body: string) =>
      sendMessage(bus, { from: 'docs', to, kind: 'note', body, silent: { ring: 'held', why } })
    hold('frontend', 'one')
    const { chain } = hold('backend', 'two').message
    const home = bus.home.root
    const held = async () => (await history(home)).stdout.match(/\w+ {2}held: .*$/gm)
    expect(await held()).toEqual([`one  held: ${why}`, `two  held: ${why}`])
    await runCli(['inbox', 'frontend'], { home })
    expect(await held()).toEqual([`two  held: ${why}`])
    await runAsOwner(['release', chain], { home })
    expect(await held()).toBeNull()
  })

  test('--with one session, and nobody there yet', async () => {
    const { bus, send } = world(3)
    send('by docs', 'docs')
    expect((await history(bus.home.root, '--with', '@docs')).stdout.match(/→.*$/gm)).toEqual([
      '→ @frontend  note  by docs',
    ])
    expect((await history(tempBus().home.root)).stdout).toBe('no messages yet\n')
  })

  test('one line a message and its id, whatever the body; a torn line is passed over', async () => {
    const { bus, send } = world(0)
    send('a\nb\u001b[2J\u202e')
    appendFileSync(bus.home.history, '{"torn')
    send('after')
    const { stdout } = await history(bus.home.root)
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stdout).toContain('note  a b^[[2J<U+202E>\n')
    expect(stdout).toContain('note  after\n')
  })

  test('--from and --since', async () => {
    const bus = tempBus(['backend', 'docs'])
    const sent = (from: string, body: string, hours: number) => {
      const clock = fixedClock(new Date(Date.now() - hours * 3_600_000).toISOString())
      sendMessage({ ...bus, clock }, { from, to: 'human', kind: 'note', body })
    }
    sent('docs', 'old', 3)
    sent('backend', 'theirs', 1)
    sent('docs', 'new', 0)
    const shown = async (...args: string[]) =>
      (await history(bus.home.root, ...args)).stdout.match(/\S+$/gm)
    expect(await shown('--from', '@docs')).toEqual(['old', 'new'])
    expect(await shown('--since', '2h')).toEqual(['theirs', 'new'])
    expect(await shown('--from', 'backend', '--since', '1s')).toEqual(['yet'])
  })

  test('tells of a name that nobody has, and not of one that has left', async () => {
    const { root } = tempBus(['backend']).home
    expect(await history(root, '--with', 'bakend')).toMatchObject({
      code: 0,
      stderr: 'agent-chat: there is no session @bakend: did you mean @backend?\n',
    })
    expect((await history(root, '--from', 'backend', '--with', 'human')).stderr).toBe('')
  })

  test.each([['3x'], ['-5'], ['1.5'], ['--with', '../x'], ['1', '2']])(
    '%j is bad usage',
    async (...args) => {
      expect(await history(tempBus().home.root, ...args)).toMatchObject({ code: 2, stdout: '' })
    },
  )

  test('--follow goes on as messages are sent, each once, until it is asked to end', async () => {
    const { bus, send } = world(2)
    const child = startCli(['history', '--follow', '--json'], { home: bus.home.root })
    let printed = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    const ended = outcome(child)
    await until('the last messages are there', () => printed.includes('"preview":"m1"'))
    // The watch may not stand yet when the first lines are printed: send until one is seen.
    let count = 0
    await until('a new message is shown', () => {
      send(`new${count++}`)
      return printed.includes('"preview":"new')
    })
    send('last')
    await until('the last message is shown', () => printed.includes('"preview":"last"'))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ stderr: '' })
    const previews = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).preview)
    expect(previews).toEqual([...new Set(previews)])
    expect(previews.slice(0, 2)).toEqual(['m0', 'm1'])
    expect(previews.at(-1)).toBe('last')
  })
})
