import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { sendMessage } from '../../bus/mail/send.ts'
import { rotateHistory } from '../../bus/upkeep/rotate.ts'
import { makeDirectory, replaceFileSoon } from '../../system/files.ts'
import { tempBus } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'
import { openFeed } from './feed.ts'

/** A feed that looks at nothing by itself: whatever it tells, an event of the file system told. */
function watched() {
  const bus = tempBus(['backend', 'frontend'])
  const ids: string[] = []
  const troubles: (string | undefined)[] = []
  let others = 0
  const feed = openFeed(
    bus,
    0,
    {
      past: () => {},
      event: ({ id }) => void ids.push(String(id)),
      inbox: () => {},
      states: () => {},
      others: () => {
        others += 1
      },
      slow: (why) => {
        throw new Error(why)
      },
      trouble: (why) => void troubles.push(why),
      fault: (error) => {
        throw error
      },
    },
    false,
  )
  onTestFinished(() => feed.close())
  const say = () =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'x' }).message.id
  return { bus, ids, troubles, say, others: () => others }
}

test.each([
  ['the registry', 'sessions.json'],
  ['that all is paused', 'paused'],
  ['a worker', 'workers/coder.json'],
  ['what it has cost', 'workers/coder.costs.jsonl'],
  ['who waits', 'asks/12.json'],
])('%s is seen by its event', async (_, file) => {
  const { bus, others } = watched()
  replaceFileSoon(`${bus.home.root}/${file}`, '{}')
  await until('it is told', () => others() > 0)
})

test('what a worker says and writes out is no change', async () => {
  const { bus, others } = watched()
  makeDirectory(bus.home.workers)
  writeFileSync(bus.home.workerStream('coder'), 'x')
  writeFileSync(bus.home.workerOutput('coder'), 'x')
  writeFileSync(bus.home.worker('coder'), '{}')
  await until('the state is told', () => others() > 0)
  // One to come into being, one to be written: all that was before has been told of by then.
  expect(others()).toBeLessThanOrEqual(2)
})

test('a history that was rotated goes on by events alone', async () => {
  const { bus, ids, say } = watched()
  const before = say()
  await until('the first is told', () => ids.includes(before))
  await rotateHistory(bus, () => true)
  const after = [say(), say()]
  await until('those after it are told', () => after.every((id) => ids.includes(id)))
  const last = say()
  await until('and the last', () => ids.includes(last))
  expect(ids.filter((id) => id !== 'undefined')).toEqual([before, ...after, last])
})

test.each([
  ['moved away', (root: string) => renameSync(root, `${root}.aside`)],
  ['removed', (root: string) => rmSync(root, { recursive: true })],
])('a home that is %s is told of by its event', async (_, take) => {
  const { bus, troubles } = watched()
  expect(troubles).toEqual([undefined])
  take(bus.home.root)
  await until('it is told', () => /is gone/.test(troubles.at(-1) ?? ''))
})
