import { expect, test } from 'vitest'
import { tempBus } from '../testing/home.ts'
import { someMessage } from '../testing/message.ts'
import { beginConversation, conversationFor, noteUse, readConversations } from './conversations.ts'

const ask = someMessage({ kind: 'question' })
const task = someMessage({ kind: 'task', id: '20261121T033913.123456Z-from-backend' })

function begin(message = ask, definition = 'a') {
  const bus = tempBus(['coder'])
  const found = conversationFor(bus, 'coder', message, definition)
  if (!found) throw new Error('none')
  return { bus, ...found }
}

test('asks go on with one conversation, and a task with its own', () => {
  const { bus, conversation, begun } = begin()
  expect(begun).toBe(false)
  const own = conversationFor(bus, 'coder', task, 'a')
  expect(own?.conversation.id).not.toBe(conversation.id)
  expect(conversationFor(bus, 'coder', task, 'a')).toEqual({ ...own, begun: true })
  expect(conversationFor(bus, 'coder', ask, 'a')).toEqual({ conversation, begun: true })
})

test('a message that names a conversation goes on with that, and the current one stays', () => {
  const { bus, conversation } = begin()
  const own = conversationFor(bus, 'coder', task, 'a')?.conversation
  const named = { ...ask, extra: { conversation: own?.id.slice(0, 8) ?? '' } }
  expect(conversationFor(bus, 'coder', named, 'a')?.conversation.id).toBe(own?.id)
  expect(readConversations(bus.home, 'coder').current).toBe(conversation.id)
  expect(conversationFor(bus, 'coder', { ...ask, extra: { conversation: 'ffff' } }, 'a')).toBe(
    undefined,
  )
})

test('under another definition an ask begins anew', () => {
  const { bus, conversation } = begin()
  const next = conversationFor(bus, 'coder', ask, 'b')
  expect(next?.begun).toBe(false)
  expect(next?.conversation.id).not.toBe(conversation.id)
})

test('one that the client does not know is replaced; one that is full is left', () => {
  const { bus, conversation } = begin()
  const next = beginConversation(bus, 'coder', ask, 'a', conversation)
  expect(readConversations(bus.home, 'coder')).toMatchObject({
    current: next.id,
    all: [{ id: next.id, answers: 0 }],
  })
  noteUse(bus, 'coder', next.id, true)
  expect(readConversations(bus.home, 'coder')).toMatchObject({
    current: null,
    all: [{ id: next.id, answers: 1 }],
  })
})

test('the oldest are forgotten, the current one never', () => {
  const { bus, conversation } = begin()
  for (let at = 0; at < 205; at += 1) {
    const id = `20261121T0339${String(at).padStart(2, '0')}.123456Z-from-backend`
    beginConversation(bus, 'coder', { ...task, id }, 'a')
  }
  const { current, all } = readConversations(bus.home, 'coder')
  expect(current).toBe(conversation.id)
  expect(all).toHaveLength(201)
})
