import { expect, test } from 'vitest'
import { createWaker } from './waker.ts'

test('a waker cuts a sleep short, and an event before the sleep counts', async () => {
  const waker = createWaker()
  waker.wake()
  waker.wake()
  expect(await waker.sleep(60_000)).toBe('woken')
  const sleep = waker.sleep(60_000)
  waker.wake()
  expect(await sleep).toBe('woken')
  expect(await waker.sleep(1)).toBe('slept')
})
