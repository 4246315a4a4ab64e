import { expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { createThrottle } from './throttle.ts'

test('work that is asked for again while it runs is done once more, and not at the same time', async () => {
  let [running, most, runs] = [0, 0, 0]
  const waiting: (() => void)[] = []
  const throttle = createThrottle(
    async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => waiting.push(resolve))
      running -= 1
      runs += 1
    },
    1,
    () => {},
  )
  for (let count = 0; count < 5; count += 1) throttle.ask()
  expect(waiting).toHaveLength(1)
  waiting.shift()?.()
  await until('the second run', () => waiting.length === 1)
  waiting.shift()?.()
  await until('its end', () => runs === 2)
  throttle.close()
  expect(most).toBe(1)
})

test('a fault is told, and the next work is done', async () => {
  const faults: unknown[] = []
  let runs = 0
  const throttle = createThrottle(
    () => {
      runs += 1
      if (runs === 1) throw new Error('no')
    },
    1,
    (error) => faults.push(error),
  )
  throttle.ask()
  await until('the fault', () => faults.length === 1)
  throttle.ask()
  await until('the second run', () => runs === 2)
  throttle.close()
})

test('nothing begins once it is closed', () => {
  let runs = 0
  const throttle = createThrottle(
    () => {
      runs += 1
    },
    1,
    () => {},
  )
  throttle.close()
  throttle.ask()
  expect(runs).toBe(0)
})
