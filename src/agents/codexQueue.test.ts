import { expect, test } from 'vitest'
import { CODEX_QUEUE } from './codexQueue.ts'

/** A server with one conversation of the user's, and what it is asked to read. */
function server(others: Record<string, object>) {
  const read: string[] = []
  const call = async (method: string, params: object) => {
    if (method === 'thread/loaded/list') return { data: ['a', ...Object.keys(others)] }
    const id: string = Reflect.get(params, 'threadId')
    const more = others[id]
    if (method === 'thread/queue/list') {
      if (more && 'ephemeral' in more)
        throw new Error(`ephemeral thread does not support queued submissions: ${id}`)
      return { data: [] }
    }
    read.push(id)
    return { thread: { id, threadSource: 'user', ...more } }
  }
  return { call, read }
}

test('what turns have left for their titles is not read, on a new connection either', async () => {
  const title = { ephemeral: true, threadSource: 'thread_title' }
  const { call, read } = server({ b: title, c: title, d: title })
  expect(await CODEX_QUEUE.current(call, null)).toEqual({ id: 'a', activity: 'idle' })
  expect(read).toEqual(['a'])
})

test('a conversation of a subagent is read once on a connection', async () => {
  const others: Record<string, object> = { b: { parentThreadId: 'a' } }
  const { call, read } = server(others)
  const idle = { id: 'a', activity: 'idle' }
  expect(await CODEX_QUEUE.current(call, null)).toEqual(idle)
  others.c = { parentThreadId: 'a' }
  expect(await CODEX_QUEUE.current(call, null)).toEqual(idle)
  expect(read).toEqual(['a', 'b', 'a', 'c'])
})

test('a server that does not tell of a queue for another reason is heard', async () => {
  const { call } = server({})
  const ill = (method: string, params: object) =>
    method === 'thread/queue/list' ? Promise.reject(new Error('no disk')) : call(method, params)
  await expect(CODEX_QUEUE.current(ill, null)).rejects.toThrow('no disk')
})

test('one that does not say yet whose it is may become the one in front', async () => {
  const others: Record<string, object> = { b: { threadSource: undefined } }
  const { call } = server(others)
  expect(await CODEX_QUEUE.current(call, 'b')).toMatchObject({ id: 'a' })
  others.b = {}
  expect(await CODEX_QUEUE.current(call, 'b')).toMatchObject({ id: 'b' })
})
