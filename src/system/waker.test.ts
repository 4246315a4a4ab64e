import { expect, test } from 'vitest'
import { timeLeft } from './timeLeft.ts'
import { createWaker, sleepOut } from './waker.ts'

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

test('a sleep that is slept out is as long as it is, whatever wakes it', async () => {
  const waker = createWaker()
  const left = timeLeft(20)
  const sleep = sleepOut(waker, 20)
  waker.wake()
  await Promise.resolve()
  waker.wake()
  await sleep
  expect(left()).toBeLessThanOrEqual(0)
})
