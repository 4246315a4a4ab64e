import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import { runCli } from '../../testing/cli.ts'
import { tempBus } from '../../testing/home.ts'
import { fileText, putInInbox } from '../../testing/message.ts'

const thread = (bus: Bus, args: string[], env: Record<string, string> = {}) =>
  runCli(['thread', ...args], { home: bus.home.root, env })

/** A question, its answer, a question back, and beside them a message of another conversation. */
function world() {
  const bus = tempBus(['backend', 'frontend'])
  const send = (from: string, to: string, kind: string, body: string, inReplyTo?: Message) =>
    sendMessage(bus, { from, to, kind, body, ...(inReplyTo ? { inReplyTo } : {}) }).message
  const first = send('backend', 'frontend', 'question', 'one?')
  const other = send('backend', 'frontend', 'note', 'beside it')
  const second = send('frontend', 'backend', 'question', 'two?\u001b[2J', first)
  const third = send('backend', 'frontend', 'reply', 'three', second)
  return { bus, first, second, third, other }
}

describe('thread', () => {
  test('prints the whole conversation, oldest first, who wrote to whom, and marks nothing as read', async () => {
    const { bus, first, second, third } = world()
    const { code, stdout, stderr } = await thread(bus, [second.id])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      new RegExp(
        `^3 messages in the thread ${shortId(first.id)}:\n\n── ${shortId(first.id)} ──\nfrom @backend to @frontend · `,
      ),
    )
    expect(stdout.match(/^(one\?|two\?.*|three)$/gm)).toEqual(['one?', 'two?^[[2J', 'three'])
    expect(stdout).toContain(`in reply to ${shortId(second.id)}\n`)
    expect(stdout.trimEnd().endsWith(`── end ${shortId(third.id)} ──`)).toBe(true)
    expect((await runCli(['inbox', 'frontend', '--count'], { home: bus.home.root })).stdout).toBe(
      '3\n',
    )
  })

  test('is the same from any of its messages, and by a part of an id', async () => {
    const { bus, first, second, third } = world()
    const whole = (await thread(bus, [first.id, '--json'])).stdout
    expect(JSON.parse(whole)).toMatchObject({
      thread: first.id,
      messages: [{ id: first.id }, { id: second.id, body: 'two?\u001b[2J' }, { id: third.id }],
      missing: [],
    })
    for (const part of [second.id, third.id, 'from-frontend'])
      expect((await thread(bus, [part, '--json'])).stdout).toBe(whole)
  })

  test('of one message is that message', async () => {
    const { bus, other } = world()
    expect((await thread(bus, [other.id])).stdout).toMatch(/^1 message in the thread /)
  })

  test('is there where the message that began it is gone, which is said', async () => {
    const { bus, first, second, third } = world()
    rmSync(bus.home.message(first.id))
    for (const id of [first.id, second.id]) {
      const { code, stdout, stderr } = await thread(bus, [id])
      expect(code).toBe(0)
      expect(stderr).toBe(
        `agent-chat: the first message of this conversation is gone, or cannot be read: ${first.id}\n`,
      )
      expect(stdout.match(/^── \S+ ──$/gm)).toEqual([
        `── ${shortId(second.id)} ──`,
        `── ${shortId(third.id)} ──`,
      ])
    }
    expect(JSON.parse((await thread(bus, [first.id, '--json'])).stdout).missing).toEqual([first.id])
  })

  test('of which a message cannot be read shows the others', async () => {
    const { bus, second } = world()
    writeFileSync(bus.home.message(second.id), 'no message')
    const { stdout, stderr } = await thread(bus, [second.thread])
    expect(stderr).toBe(
      `agent-chat: a message of this conversation is gone, or cannot be read: ${second.id}\n`,
    )
    expect(stdout).toMatch(/^2 messages /)
  })

  test('of a message that was put into the inbox by hand is that message', async () => {
    const { bus } = world()
    putInInbox(bus.home, 'frontend', 'by-hand.md', fileText('docs', 'frontend', 'hello'))
    const { code, stdout } = await thread(bus, ['by-hand'], { AGENT_CHAT_NAME: 'frontend' })
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\nhello\n'),
    })
  })

  test.each([
    [
      'of no message',
      4,
      ['20991231'],
      /no message has the id "20991231"\n {2}hint: see the ids with: agent-chat history/,
    ],
    ['of a path', 4, ['../../etc/passwd'], /no message has the id/],
    ['of nothing', 2, [], /missing required argument 'id'/],
    ['of several', 2, ['from-backend'], /matches 3 messages\n {2}hint: name one of them/],
  ])('%s: %i', async (_, code, args, says) => {
    const { bus } = world()
    expect(await thread(bus, args)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(says),
    })
  })

  test('of which nothing is left: 4', async () => {
    const { bus, first, second, third } = world()
    for (const { id } of [first, second, third]) rmSync(bus.home.message(id))
    expect(await thread(bus, [first.id])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        /no message is left of the thread \S+\n {2}hint: see the ids with: agent-chat history/,
      ),
    })
  })
})
