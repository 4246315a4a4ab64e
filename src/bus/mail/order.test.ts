import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempBus } from '../../testing/home.ts'
import { type Mark, putMark } from './marks.ts'
import { filesInOrder } from './order.ts'
import { sendMessage } from './send.ts'

const send = (bus: ReturnType<typeof tempBus>) =>
  sendMessage(bus, { from: 'docs', to: 'frontend', kind: 'note', body: 'x' }).message

test('urgent files come first, quiet ones last, and all other marks change nothing', () => {
  const bus = tempBus(['frontend'])
  const marks: (Mark['ring'] | undefined)[] = [
    'quiet',
    'held',
    undefined,
    'urgent',
    'resumed',
    'awaited',
    'urgent',
  ]
  const ids = marks.map((ring) => {
    const { id, chain } = send(bus)
    if (ring)
      putMark(bus.home, 'frontend', id, { ring, why: '', chain, at: new Date().toISOString() })
    return id
  })
  const order = [3, 6, 1, 2, 4, 5, 0].map((at) => `${ids[at]}.md`)
  expect(filesInOrder(bus.home, 'frontend')).toEqual(order)
})

test('a file that was put there by hand, or a mark that cannot be read, is like any other', () => {
  const bus = tempBus(['frontend'])
  const { id } = send(bus)
  putMark(bus.home, 'frontend', id, { ring: 'urgent', why: '', chain: id, at: '' })
  for (const file of ['constructor.md', '__proto__.md', 'a.md'])
    writeFileSync(join(bus.home.inbox('frontend'), file), '')
  for (const text of ['{', '{"ring":"loud","chain":"x"}'])
    writeFileSync(join(bus.home.heldBy('frontend'), 'a.json'), text)
  expect(filesInOrder(bus.home, 'frontend')).toEqual([
    `${id}.md`,
    '__proto__.md',
    'a.md',
    'constructor.md',
  ])
  expect(filesInOrder(bus.home, 'nobody')).toEqual([])
})
