import { expect, test } from 'vitest'
import { MEANS, type Means } from './means.ts'
import { serversOf, type Ways, waysBy } from './ways.ts'

const CLIENTS = [
  { socket: '/tmp/one', tty: '/dev/pts/1' },
  { socket: '/tmp/two', tty: '/dev/pts/2' },
]
const FOUND: Ways = {
  clients: CLIENTS,
  terminals: ['/dev/pts/2', '/dev/pts/3', '/dev/pts/3'],
  desktop: true,
}
const NONE: Ways = { clients: [], terminals: [], desktop: false }
const TERMINALS = ['/dev/pts/1', '/dev/pts/2', '/dev/pts/3']

test.each<[readonly Means[], Ways, Ways]>([
  [MEANS, FOUND, { clients: CLIENTS, terminals: TERMINALS, desktop: true }],
  [['tmux'], FOUND, { ...NONE, clients: CLIENTS }],
  [['bell'], FOUND, { ...NONE, terminals: TERMINALS }],
  [['desktop'], FOUND, { ...NONE, desktop: true }],
  [[], FOUND, NONE],
  [MEANS, NONE, NONE],
  [
    MEANS,
    { ...FOUND, clients: [] },
    { clients: [], terminals: ['/dev/pts/2', '/dev/pts/3'], desktop: true },
  ],
])('by %j, of %j', (means, found, ways) => {
  expect(waysBy(means, found)).toEqual(ways)
})

test.each<[(string | null)[], NodeJS.ProcessEnv, string[]]>([
  [[], {}, []],
  [['/tmp/one', null, '/tmp/one', '/tmp/two'], {}, ['/tmp/one', '/tmp/two']],
  [['/tmp/one'], { TMUX: '/tmp/one,311,0' }, ['/tmp/one']],
  [[null], { TMUX: '/tmp/two,311,0' }, ['/tmp/two']],
  [[], { TMUX: '' }, []],
])('the servers of sessions on %j with %j', (sockets, env, servers) => {
  expect(
    serversOf(
      sockets.map((tmux_socket) => ({ tmux_socket })),
      env,
    ),
  ).toEqual(servers)
})
