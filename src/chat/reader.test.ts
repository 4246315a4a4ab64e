import { expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { runCli } from '../testing/cli.ts'
import { tempBus } from '../testing/home.ts'
import { stoppedAt } from '../testing/stopped.ts'
import { until } from '../testing/until.ts'
import { asReaderOf } from './reader.ts'

/**
 * Reads @backend's inbox while a rename stands at that step; `waits` once the reader has found the
 * lock taken.
 */
async function reading(step: string) {
  const bus = tempBus(['backend', 'frontend'])
  await runCli(['send', '@backend', 'x', '--as', 'frontend'], { home: bus.home.root })
  const rename = await stoppedAt(bus.home, step, 'rename', 'backend', 'payments')
  let looked = false
  const isAlive: Bus['processes']['isAlive'] = (ref) => {
    looked = true
    return bus.processes.isAlive(ref)
  }
  const read: [string, number][] = []
  const ended = asReaderOf(
    { ...bus, processes: { ...bus.processes, isAlive } },
    () => Promise.resolve('backend'),
    false,
    (name) => read.push([name, unreadIds(bus.home, name).length]),
  )
  await until('the reader to wait', () => looked)
  return { bus, rename, read, ended }
}

test('who waited for a rename reads under the new name', async () => {
  const { rename, read, ended } = await reading('registry:locked')
  expect((await rename.goOn()).code).toBe(0)
  await ended
  expect(read).toEqual([['payments', 1]])
})

test('who waited for a rename that was killed before it was written down reads under the old one', async () => {
  const { rename, read, ended } = await reading('rename:written')
  await rename.kill()
  await ended
  expect(read).toEqual([['backend', 1]])
})
