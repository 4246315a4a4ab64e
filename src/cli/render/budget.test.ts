import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { selectAll, selectWithin } from '../../chat/inbox/budget.ts'
import { inboxJson, jsonForm } from '../../chat/inbox/json.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import { someMessage } from '../../testing/message.ts'
import { cutText, renderCut, renderRest, textForm } from './inbox.ts'
import { renderInboxFoot, renderInboxHead, renderMessage } from './message.ts'

const NOW = Date.parse('2026-11-21T03:40:00.000Z')

function messagesOf(bodies: string[], fields: Partial<Message> = {}): Message[] {
  return bodies.map((body, at) => {
    const id = `20261121T033912.${String(at).padStart(6, '0')}Z-from-backend`
    return someMessage({ id, body, ...fields })
  })
}

/** A source that counts what was opened. */
function sourceOf(messages: Message[]) {
  let opened = 0
  return {
    next: () => messages[opened++],
    left: () => Math.max(0, messages.length - opened),
    opened: () => opened,
  }
}

/** Everything that is printed of a selection. */
function printed(messages: Message[], budget: number, limit = Number.POSITIVE_INFINITY): string {
  const {
    cut,
    rest,
    more,
    messages: shown,
  } = selectWithin(sourceOf(messages), limit, budget, textForm('frontend', {}, NOW))
  const bodies = shown.map((message) =>
    cut?.message.id === message.id ? renderCut(cut, NOW, undefined) : renderMessage(message, NOW),
  )
  const named = renderRest(
    { rest, more, peek: false, name: 'frontend', named: true },
    rest.length + more,
  )
  return [
    renderInboxHead(shown, 'frontend'),
    ...bodies,
    named,
    renderInboxFoot(shown, 'frontend'),
  ].join('')
}

const select = (messages: Message[], budget: number, limit = Number.POSITIVE_INFINITY) =>
  selectWithin(sourceOf(messages), limit, budget, textForm('frontend', {}, NOW))

describe('a budget', () => {
  test('that all fits into leaves nothing out', () => {
    const messages = messagesOf(['one', 'two', 'three'])
    expect(select(messages, 8192)).toEqual({ messages, rest: [], more: 0 })
  })

  test('has the oldest whole, then names, then a number', () => {
    const messages = messagesOf(Array.from({ length: 500 }, (_, at) => `${at} ${'x'.repeat(300)}`))
    const { messages: shown, cut, rest, more } = select(messages, 8192)
    expect(cut).toBeUndefined()
    expect(shown.length).toBeGreaterThan(8)
    expect(rest.length).toBeGreaterThan(8)
    expect([...shown, ...rest]).toEqual(messages.slice(0, shown.length + rest.length))
    expect(shown.length + rest.length + more).toBe(500)
  })

  test('opens no more than one message beyond those that it gives', () => {
    const source = sourceOf(messagesOf(Array.from({ length: 10_000 }, () => 'x'.repeat(200))))
    const { messages, rest, more } = selectWithin(
      source,
      Number.POSITIVE_INFINITY,
      8192,
      textForm('frontend', {}, NOW),
    )
    expect(source.opened()).toBeLessThanOrEqual(messages.length + rest.length + 1)
    expect(messages.length + rest.length + more).toBe(10_000)
  })

  test('cuts a first message at the end of a line, and names the second however long', () => {
    const long = Array.from({ length: 1000 }, (_, at) => `line ${at + 1}`).join('\n')
    const messages = messagesOf([long, long])
    const { messages: shown, cut, rest, more } = select(messages, 8192)
    expect([shown, rest, more]).toEqual([messages.slice(0, 1), messages.slice(1), 0])
    expect(cut?.message.body.endsWith(`\nline ${cut.lines}`)).toBe(true)
    expect(cut?.of).toBe(1000)
    expect(printed(messages, 8192)).toContain(
      `\n… ${1000 - (cut?.lines ?? 0)} more lines: agent-chat show ${shortId(messages[0]?.id ?? '')} --lines ${(cut?.lines ?? 0) + 1}-\n`,
    )
  })

  test('keeps a long message behind a short one whole for the next time', () => {
    const messages = messagesOf(['short', 'x\n'.repeat(50_000)])
    expect(select(messages, 8192)).toEqual({
      messages: messages.slice(0, 1),
      rest: messages.slice(1),
      more: 0,
    })
  })

  test('cuts a line that is longer than all of it inside', () => {
    const [message] = messagesOf([`${'é'.repeat(100_000)}\nand more`])
    const text = printed([message as Message], 8192)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192)
    expect(Buffer.byteLength(text)).toBeGreaterThan(7500)
    expect(text).toContain(
      `\n… the rest of a long line and 1 more: agent-chat show ${shortId(message?.id ?? '')} --lines 1-\n`,
    )
  })

  test('shortens a header that is too long itself', () => {
    const attachments = Array.from({ length: 50 }, (_, at) => ({
      path: `/${'d'.repeat(600)}/${at}`,
      bytes: '1',
      sha256: 'a'.repeat(64),
    }))
    const messages = messagesOf(['the body'], {
      subject: 's'.repeat(60_000),
      extra: { attachments },
    })
    const text = printed(messages, 8192)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192)
    expect(text).toContain('50 attachments')
    expect(text).toContain('\nthe body\n')
    expect(text).toContain(`\n… in full: agent-chat show ${shortId(messages[0]?.id ?? '')}\n`)
  })

  test('--limit stands: what is behind it is only counted', () => {
    const messages = messagesOf(['one', 'two', 'three'])
    expect(select(messages, 8192, 2)).toEqual({ messages: messages.slice(0, 2), rest: [], more: 1 })
  })

  test('holds for whatever bodies, in text and in JSON', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.constantFrom('── x ──', '\u001b[2J', '', '🙂'.repeat(40)),
    )
    const body = fc.array(line, { minLength: 1, maxLength: 300 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(
        fc.array(body, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1024, max: 20_000 }),
        (bodies, budget) => {
          const messages = messagesOf(bodies)
          expect(Buffer.byteLength(printed(messages, budget))).toBeLessThanOrEqual(budget)
          const chosen = selectWithin(
            sourceOf(messages),
            Number.POSITIVE_INFINITY,
            budget,
            jsonForm('frontend', {}),
          )
          const view = {
            ...chosen,
            name: 'frontend',
            named: true,
            unread: messages.length,
            held: {},
            bad: [],
            peek: false,
            now: NOW,
          }
          const json = `${JSON.stringify(inboxJson(view, true))}\n`
          expect(Buffer.byteLength(json)).toBeLessThanOrEqual(budget)
          expect(chosen.messages.length).toBeGreaterThan(0)
          expect(chosen.messages.length + chosen.rest.length + chosen.more).toBe(messages.length)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('none at all gives everything', () => {
    const messages = messagesOf(['x'.repeat(200_000), 'two'])
    expect(selectAll(sourceOf(messages), Number.POSITIVE_INFINITY)).toEqual({
      messages,
      rest: [],
      more: 0,
    })
    expect(selectAll(sourceOf(messages), 1)).toEqual({
      messages: messages.slice(0, 1),
      rest: [],
      more: 1,
    })
  })
})

test('a cut message says after its last line how to see the rest', () => {
  const message = someMessage({ body: 'one\ntwo\nthree' })
  const cut = cutText(
    message,
    Buffer.byteLength(renderMessage(someMessage({ body: '' }), NOW)) + 100,
    NOW,
    undefined,
  )
  expect(cut).toMatchObject({ of: 3 })
  expect(renderCut({ ...cut, lines: 2 }, NOW, undefined)).toMatch(
    /── end \S+ ──\n… 1 more line: agent-chat show \S+ --lines 3-\n$/,
  )
})
