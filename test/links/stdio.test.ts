import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Home } from '../../src/bus/home.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf, filesIn, tempHome } from '../../src/testing/home.ts'
import { farEnd, letter } from './stdio.ts'

const STEPS = ['send:written', 'send:published', 'send:indexed', 'send:linked', 'send:synced']
const LATE = ['send:recorded', 'send:rung']

const bodies = async (home: Home) =>
  JSON.parse(
    (await runCli(['inbox', 'frontend', '--json'], { home: home.root })).stdout,
  ).messages.map(({ body }: { body: string }) => body)

describe('the receiver killed at a step', () => {
  const killedAt = async (step: string) => {
    const home = tempHome('frontend')
    const one = letter('one')
    const first = farEnd(home, { AGENT_CHAT_FAULT: step })
    first.hello()
    await first.hear('hello')
    first.say({ f: 'msg', n: 1, letter: one })
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(first.frames.filter(({ f }) => f === 'ans')).toEqual([])
    const second = farEnd(home)
    second.hello()
    second.say({ f: 'msg', n: 1, letter: one })
    second.say({ f: 'msg', n: 2, letter: letter('two') })
    expect(await second.hear('ans', 1)).toMatchObject({ answer: { is: 'arrived' } })
    expect(await second.hear('ans', 2)).toMatchObject({ answer: { is: 'arrived' } })
    second.hangUp()
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
    expect(eventsOf(home, 'sent')).toHaveLength(2)
    expect(await bodies(home)).toEqual(['one', 'two'])
  }

  test(`${[...STEPS, ...LATE].join(', ')}: the message comes again, is there once, and nothing is before it`, async () => {
    await Promise.all([...STEPS, ...LATE].map(killedAt))
  })
})

describe('a hostile machine', () => {
  const met = async (home: Home) => {
    const end = farEnd(home)
    end.hello()
    await end.hear('hello')
    return end
  }

  test.each([
    ['says what is no frame', () => 'hello\n'],
    ['never ends a line', () => 'x'.repeat(5_000_000)],
    ['sends a message of the wrong shape', () => '{"f":"msg","n":1,"letter":{"id":7}}\n'],
  ])('that %s is cut off', async (_, text) => {
    const home = tempHome('frontend')
    const end = await met(home)
    end.say(text())
    expect(await end.ended).toMatchObject({ code: 0 })
    expect(filesIn(home.messages)).toEqual([])
  })

  test.each([
    ['another name than its key', { host: 'c' }, 'knows it as a'],
    ['the name of this machine', { host: 'b' }, 'knows it as a'],
    ['another version', { v: 2 }, 'version 2'],
    ['a clock two hours off', { at: Date.now() + 7_200_000 }, '120 min apart'],
    ['another name for this machine', { to: 'c' }, 'called b'],
  ])('with %s is refused by name', async (_, more, why) => {
    const home = tempHome('frontend')
    const first = await met(home)
    first.hangUp()
    await first.ended
    const end = farEnd(home)
    end.hello(more)
    expect(await end.hear('bye')).toMatchObject({ why: expect.stringContaining(why) })
    await end.ended
  })

  test('another home under the name of a known machine is refused', async () => {
    const home = tempHome('frontend')
    const first = await met(home)
    first.hangUp()
    await first.ended
    const end = farEnd(home)
    end.hello({ home: 'another' })
    expect(await end.hear('bye')).toMatchObject({ why: 'another home is linked with b as a' })
  })

  test('that speaks before hello is cut off', async () => {
    const home = tempHome('frontend')
    const end = farEnd(home)
    end.say({ f: 'msg', n: 1, letter: letter('hello') })
    await end.ended
    expect(filesIn(home.messages)).toEqual([])
  })

  test('poison, lies in receipts and a flood: the good message arrives, and 100 ring', async () => {
    const home = tempHome('frontend')
    const end = await met(home)
    end.say({ f: 'msg', n: 1, letter: { id: '../../etc/x', text: 'x' } })
    end.say({ f: 'rcpt', n: 2, receipts: [{ id: '../x.b', stage: 'read' }] })
    end.say({ f: 'here', sessions: [{ name: '../x' }, { name: 'ok', state: '\u001b[31m' }, 7] })
    const count = 110
    for (let n = 0; n < count; n += 1)
      end.say({ f: 'msg', n: 10 + n, letter: letter(`flood ${n}`) })
    expect(await end.hear('ans', 1)).toMatchObject({ answer: { is: 'refused' } })
    await end.hear('ans', 10 + count - 1)
    expect(filesIn(home.inbox('frontend')).length).toBeGreaterThan(100)
    expect(filesIn(home.heldBy('frontend')).length).toBeGreaterThanOrEqual(5)
    expect(JSON.parse(readFileSync(home.peerSeen('a'), 'utf8')).sessions).toEqual([
      { name: 'ok', state: '-' },
    ])
    expect(eventsOf(home, 'read')).toEqual([])
    end.hangUp()
    await end.ended
  })
})
