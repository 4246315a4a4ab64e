import { expect, test } from 'vitest'
import { writeMe } from '../bus/remote/peers.ts'
import type { PostPorts } from '../chat/post.ts'
import { filesIn, tempBus } from '../testing/home.ts'
import { arrivalsFrom } from './arrivals.ts'

const me = { host: 'b', id: 'the-home-that-met' }
const other = { host: 'b', id: 'another-home' }

test.each([
  ['the two met', [me], 'bad letter'],
  ['and it was replaced before the first letter', [other], 'is not the one that was linked'],
  ['and it was replaced and put back', [other, me], 'bad letter'],
])('what comes is taken by the home with which %s', (_, homes, answer) => {
  const bus = tempBus(['frontend'])
  const notices: string[] = []
  const ports = { env: {}, bus: () => bus, notice: (text: string) => notices.push(text) }
  for (const home of homes) writeMe(bus, home)
  const { take } = arrivalsFrom('a', me, ports as unknown as PostPorts)
  const said = () => JSON.stringify(take({ id: 'x', text: 'bad letter' }))
  if (answer === 'bad letter') expect(said()).toContain('refused')
  else expect(said).toThrow(answer)
  expect(filesIn(bus.home.inbox('frontend'))).toEqual([])
})
