import { expect, test } from 'vitest'
import { tempBus } from '../testing/home.ts'
import { parseTarget, sshArgv } from './ssh.ts'
import { linkUnit } from './unit.ts'

test('the unit starts the link again with all that was given, and a % stays one', () => {
  const bus = tempBus()
  const self = { node: '/usr/bin/node', script: '/opt/agent chat/dist/main.js', root: '/opt' }
  const request = { target: 'me@build.example.com', as: 'laptop', ssh: ['-o', 'ProxyCommand=x %h'] }
  const unit = linkUnit(request, { self, env: { PATH: '/usr/bin' }, bus: () => bus })
  const lines = unit.split('\n')
  expect(lines[0]).toBe('# ~/.config/systemd/user/agent-chat-link-build.service')
  expect(lines).toEqual(
    expect.arrayContaining([
      'Description=agent-chat link to me@build.example.com',
      `Environment="AGENT_CHAT_HOME=${bus.home.root}"`,
      'Environment="PATH=/usr/bin"',
      'ExecStart="/usr/bin/node" "/opt/agent chat/dist/main.js" "link" "me@build.example.com" "--as" "laptop" "--" "-o" "ProxyCommand=x %%h"',
      'Restart=on-failure',
      'WantedBy=default.target',
    ]),
  )
  const named = linkUnit(
    { ...request, peer: 'b', there: '~/bin/agent-chat', ssh: [] },
    { self, env: {}, bus: () => bus },
  )
  expect(named).toContain('agent-chat-link-b.service')
  expect(named).toContain('"--peer" "b" "--there" "~/bin/agent-chat"\n')
})

test.each([
  ['me@build.example.com', 'build'],
  ['build', 'build'],
  ['10.0.0.7', 'peer'],
  ['Build_7.example.com', 'build-7'],
])('%s is an address, and its machine may be called %s', (target, name) => {
  expect(parseTarget(target)).toEqual({ address: target, name })
})

test.each(['-oProxyCommand=x', 'a b', 'a;b', '$(x)', '', 'me@'])('%j is no address', (target) => {
  expect(() => parseTarget(target)).toThrow('is not an address for ssh')
})

test('ssh asks nothing, and gets an address and one line of checked words', () => {
  const { command } = sshArgv({ address: 'me@b', ssh: ['-p', '22'], there: '~/bin/x' }, 'a', {})
  expect(command.slice(0, 3)).toEqual(['ssh', '-p', '22'])
  expect(command).toEqual(expect.arrayContaining(['-T', 'BatchMode=yes']))
  expect(command.slice(-3)).toEqual(['--', 'me@b', '~/bin/x link --stdio --peer a'])
  expect(() => sshArgv({ address: 'b', ssh: [], there: 'x; rm' }, 'a', {})).toThrow('--there')
})
