import { expect, test } from 'vitest'
import { tempBus } from '../../testing/home.ts'
import { unitText } from './unit.ts'

test('the unit supervises the workers of this home, and ends them in order', () => {
  const bus = tempBus()
  const self = { node: '/usr/bin/node', script: '/opt/agent chat/dist/main.js', root: '/opt' }
  const lines = unitText({ self, env: { PATH: '/usr/bin' }, bus: () => bus }).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      `Environment="AGENT_CHAT_HOME=${bus.home.root}"`,
      'Environment="PATH=/usr/bin"',
      'ExecStart="/usr/bin/node" "/opt/agent chat/dist/main.js" up --foreground',
      'ExecStop="/usr/bin/node" "/opt/agent chat/dist/main.js" down',
      'Restart=on-failure',
    ]),
  )
})
