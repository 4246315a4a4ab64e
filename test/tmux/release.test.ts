import { expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { register } from '../../src/testing/home.ts'
import { allHeld } from '../../src/trust/sendGate/held.ts'
import { sitDown } from './consoleWorld.ts'
import { openShell } from './shell.ts'
import { tmuxWorld } from './world.ts'

/** Two messages on two chains that the loop rule holds. */
function hold(bus: Bus): void {
  const silent = { ring: 'held' as const, why: '4 messages on this chain' }
  const held = { from: 'frontend', to: 'backend', kind: 'note', body: 'x', silent } as const
  for (const second of ['12', '13'])
    sendMessage(bus, { ...held, chain: `20261121T0339${second}.123456Z-from-human` })
}

test.each([
  ['y', 0, 0, '2 held messages released'],
  ['n', 2, 3, 'nothing was released: 2 held messages kept'],
  ['', 2, 3, 'nothing was released: 2 held messages kept'],
])('at a terminal release --all says how many and asks: %j', async (answer, left, code, says) => {
  const { bus, server } = await tmuxWorld()
  register(bus.home, 'frontend', 'backend')
  hold(bus)
  const pane = await openShell(server, { home: bus.home.root, width: 120 })
  await pane.submit('agent-chat release --all; echo "ended with $?"')
  await pane.waitFor(/Release 2 held messages\? \[y\/N\]/)
  expect(allHeld(bus)).toHaveLength(2)
  await pane.submit(answer)
  expect(await pane.waitFor(new RegExp(`^ended with ${code}$`, 'm'))).toContain(says)
  expect(allHeld(bus)).toHaveLength(left)
})

test('in the console, unpause keeps what is held, and /release --all says how many first', async () => {
  const seat = await sitDown({ before: hold, width: 120, height: 40 })
  await seat.pane.submit('/pause')
  await seat.pane.waitFor(/^notifications paused/)
  await seat.pane.submit('/unpause')
  await seat.pane.waitFor(/the loop rule keeps 2 held messages; to let go: \/release --all/)
  await seat.pane.submit('/release --all')
  await seat.pane.waitFor(/asks before it lets 2 held messages go\s.*say: \/release --all --yes/)
  expect(allHeld(seat.bus)).toHaveLength(2)
})
