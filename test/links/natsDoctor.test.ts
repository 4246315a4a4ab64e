// child_process: this file starts the program (see vitest.config.ts).
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import type { Home } from '../../src/bus/home.ts'
import { checkBridge } from '../../src/link/nats/check.ts'
import { open } from '../../src/link/nats/client.ts'
import { certificateOf, readTeam } from '../../src/link/nats/files.ts'
import { systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { makeTeam } from './nats.ts'

const DAY_MS = 24 * 60 * 60_000

test('what doctor says of a bridge whose key, server, queue, limits or certificate are wrong', async () => {
  const team = await makeTeam(tempDirectory(), { a: ['backend'] })
  onTestFinished(() => team.stop())
  const { a } = team.homes as Record<'a', Home>
  const said = async (daysLater = 0) => {
    const own = systemClock()
    const clock = { ...own, now: () => own.now() + daysLater * DAY_MS }
    const lines = await checkBridge({ home: a, clock, processes: systemProcesses() })
    return lines.filter(({ status }) => status !== 'ok').map(({ detail }) => detail)
  }
  const STOPPED = 'the bridge does not run'
  expect(await said()).toEqual([STOPPED])
  expect(await said(810)).toEqual([expect.stringMatching(/certificate ends on 20/), STOPPED])
  expect(await said(900)).toEqual([expect.stringMatching(/certificate ended on 20/), STOPPED])

  chmodSync(a.bridgeTicket, 0o644)
  expect(await said()).toEqual(['others may read the key of this machine', STOPPED])
  chmodSync(a.bridgeTicket, 0o600)

  const users = join(a.bridge, 'users.conf')
  const before = readFileSync(users, 'utf8')
  const reload = () =>
    execFileSync('nats-server', ['--signal', `reload=${join(a.bridge, 'nats-server.pid')}`])
  // The server reads it soon after the signal.
  const becomes = (count: number) =>
    until('the server has its users', async () => (await said()).length === count)
  writeFileSync(users, before.replace(/publish: \{ allow: \[[^\]]*\]/, 'publish: { allow: [">"]'))
  reload()
  await becomes(2)
  expect((await said())[1]).toMatch(
    /^the server lets this machine do what is another's: ac\.crew\.from\.agent-chat-doctor/,
  )
  writeFileSync(users, before)
  reload()
  await becomes(1)

  const admin = await open({ ...readTeam(a), ca: certificateOf(a) })
  const { streams, consumers } = await jetstreamManager(admin, { checkAPI: false })
  await streams.update('AC_CREW', { max_bytes: -1 })
  expect(await said()).toEqual(['the stream has no limit', STOPPED])
  await streams.update('AC_CREW', { max_bytes: 512 * 1024 * 1024 })
  await consumers.update('AC_CREW', 'a', { max_ack_pending: 2, ack_wait: nanos(2000) })
  const LOOSE = 'the server gives more than one message at a time: their order is not kept'
  expect(await said()).toEqual([STOPPED, LOOSE])
  await consumers.delete('AC_CREW', 'a')
  expect(await said()).toEqual([STOPPED, expect.stringContaining('the server has no queue for a')])
  await admin.close()

  await team.kill()
  expect(await said()).toEqual([
    ...[expect.stringContaining('was not reached'), STOPPED],
    expect.stringContaining('was not reached'),
  ])
  endedCertificate(a)
  await team.start()
  expect(await said()).toContainEqual(
    expect.stringMatching(/^the certificate of tls:\S+ has ended$/),
  )
  expect(await team.run('a', 'bridge', 'run')).toMatchObject({
    ...{ code: 10, stderr: expect.stringContaining('has ended') },
  })
}, 60_000)

/** The server and the machine with a certificate that ended yesterday. */
function endedCertificate(home: Home): void {
  const at = (name: string) => join(home.bridge, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1')
  openssl(
    'req',
    '-new',
    '-key',
    at('server.key'),
    '-subj',
    '/CN=agent-chat',
    '-out',
    at('server.csr'),
  )
  const sign = ['-req', '-in', at('server.csr'), '-signkey', at('server.key'), '-days', '-1']
  openssl('x509', ...sign, '-extfile', at('names'), '-out', at('server.pem'))
  const ticket = JSON.parse(readFileSync(home.bridgeTicket, 'utf8'))
  const ca = readFileSync(at('server.pem'), 'utf8')
  writeFileSync(home.bridgeTicket, JSON.stringify({ ...ticket, ca }))
}
