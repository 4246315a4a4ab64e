import { expect, test } from 'vitest'
import { CODEX_QUEUE } from './codexQueue.ts'

/** A server with one conversation of the user's, and what it is asked to read. */
function server(others: Record<string, object>) {
  const read: string[] = []
  const call = async (method: string, params: object) => {
    if (method === 'thread/loaded/list') return { data: ['a', ...Object.keys(others)] }
    const id: string = Reflect.get(params, 'threadId')
    read.push(id)
    return { thread: { id, threadSource: 'user', ...others[id] } }
  }
  return { call, read }
}

test('a conversation for a title or of a subagent is read once on a connection', async () => {
  const others: Record<string, object> = { b: { ephemeral: true }, c: { parentThreadId: 'a' } }
  const { call, read } = server(others)
  const idle = { id: 'a', activity: 'idle' }
  expect(await CODEX_QUEUE.current(call, null)).toEqual(idle)
  others.d = { ephemeral: true }
  expect(await CODEX_QUEUE.current(call, null)).toEqual(idle)
  expect(read).toEqual(['a', 'b', 'c', 'a', 'd'])
})

test('one that does not say yet whose it is may become the one in front', async () => {
  const others: Record<string, object> = { b: { threadSource: undefined } }
  const { call } = server(others)
  expect(await CODEX_QUEUE.current(call, 'b')).toMatchObject({ id: 'a' })
  others.b = {}
  expect(await CODEX_QUEUE.current(call, 'b')).toMatchObject({ id: 'b' })
})
