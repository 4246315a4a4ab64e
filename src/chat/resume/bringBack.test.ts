import { expect, test } from 'vitest'
import { someAtATime } from './bringBack.ts'

test('three at a time, in order, and what comes of each in its place', async () => {
  const begun: number[] = []
  const open = new Map<number, (value: string) => void>()
  const all = someAtATime([0, 1, 2, 3, 4], (one) => {
    begun.push(one)
    return new Promise<string>((resolve) => open.set(one, resolve))
  })
  const settled = async (one: number) => {
    open.get(one)?.(`done ${one}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(begun).toEqual([0, 1, 2])
  await settled(1)
  expect(begun).toEqual([0, 1, 2, 3])
  await settled(2)
  await settled(4)
  await settled(3)
  await settled(0)
  expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3', 'done 4'])
})
