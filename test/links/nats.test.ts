import { dirname } from 'node:path'
import { jetstream } from '@nats-io/jetstream'
import { connect, nkeyAuthenticator } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import type { Home } from '../../src/bus/home.ts'
import { open } from '../../src/link/nats/client.ts'
import { certificateOf, readTeam, readTicket } from '../../src/link/nats/files.ts'
import { outcome } from '../../src/testing/cli.ts'
import { filesIn, tempDirectory } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'
import { until } from '../../src/testing/until.ts'
import { hears, makeTeam } from './nats.ts'
import { asAdmin, change } from './natsWorld.ts'

test('a team over a real nats-server: a round trip, kills, offline, no other mail, revoke', async () => {
  const team = await makeTeam(tempDirectory(), { a: ['backend'], b: ['frontend'] })
  onTestFinished(() => team.stop())
  const { a, b } = team.homes as Record<'a' | 'b', Home>
  let ofB = team.bridge('b')
  team.bridge('a')
  await hears(team, 'a', 'b')
  const send = (text: string, ...more: string[]) =>
    team.run('a', 'send', '@frontend.b', text, '--as', 'backend', ...more)
  const sent = await send('GET /tasks is ready', '--wait', 'arrived')
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  const id = /^queued (\w+)/.exec(sent.stdout)?.[1] ?? ''
  await team.run('b', 'reply', id, 'thanks', '--as', 'frontend')
  await until('the answer arrives', () => filesIn(a.inbox('backend')).length === 1)
  // Offline and killed: what is queued meanwhile arrives once, when all are back.
  const gone = outcome(ofB)
  ofB.kill('SIGKILL')
  await gone
  await send('one')
  await team.kill()
  await send('two')
  await team.start()
  ofB = team.bridge('b')
  await until('all has arrived', () => filesIn(a.out('b')).length === 0)
  expect(filesIn(b.inbox('frontend'))).toHaveLength(3)
  expect(await deniedTo(a)).toHaveLength(6)
  expect(await listed(a)).toEqual({
    sessions: ['backend', 'frontend'],
    status: expect.objectContaining({ owner: 'b', session: 'frontend', interval_s: 30 }),
    prompt: ['{"type":"status","data":"ack"}', '403', ''],
  })
  const diagnosis = await team.run('a', 'doctor', '--no-ring', '--json')
  const bridge = JSON.parse(diagnosis.stdout).checks.filter(
    ({ name }: { name: string }) => name === 'bridge',
  )
  expect(bridge.map(({ status }: { status: string }) => status)).toEqual(['ok', 'ok', 'ok', 'ok'])
  // Unlinked and allowed again, b is a machine of the team as before.
  expect(await team.run('a', 'unlink', 'b')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('its admin types: agent-chat bridge revoke b\n'),
  })
  await team.run('a', 'link', '--allow', 'b')
  await until(
    'b is in the team again',
    async () => {
      const { machines } = JSON.parse((await team.run('a', 'bridge', 'status', '--json')).stdout)
      const { stdout } = await team.run('a', 'who', '--all')
      return machines[0]?.host === 'b' && stdout.includes('@frontend.b')
    },
    20_000,
  )
  const ended = outcome(ofB)
  expect(await revokeWithout(a, 'b')).toMatchObject({ code: 0, stderr: '' })
  expect(await ended).toMatchObject({
    code: 10,
    stderr: expect.stringContaining("does not take this machine's key"),
  })
}, 60_000)

test('what a killed server brings back for good makes room; a team of an earlier version is mended', async () => {
  const team = await makeTeam(tempDirectory(), { a: ['backend'], b: ['frontend'] })
  onTestFinished(() => team.stop())
  const publish = (times: number) =>
    asAdmin(team, async (connection) => {
      const client = jetstream(connection)
      for (let n = 0; n < times; n += 1) await client.publish('ac.crew.from.a.to.b.msg', `${n}`)
    })
  const waiting = async () => {
    const { stdout } = await team.run('a', 'bridge', 'status', '--json')
    return JSON.parse(stdout).admin.stream.waiting
  }
  await change(team, { discard_new_per_subject: true })
  expect(await waiting()).toBe(0)
  await publish(64)
  expect(await waiting()).toBe(64)
  await expect(publish(1)).rejects.toThrow('maximum messages per subject')
  expect(await team.run('a', 'bridge', 'init')).toMatchObject({ code: 0 })
  await publish(1)
}, 60_000)

/** As a user without /usr/sbin on the PATH, where Debian has nats-server. */
function revokeWithout({ root: home }: Home, host: string) {
  return runAsOwner(['bridge', 'revoke', host], { home, env: { PATH: dirname(process.execPath) } })
}

/** What a machine that is in the team is told when it reaches for the mail of b. */
async function deniedTo(home: Home): Promise<string[]> {
  const connection = await open(readTicket(home))
  const said: string[] = []
  const listening = (async () => {
    for await (const status of connection.status())
      if (status.type === 'error') said.push(status.error.message)
  })()
  connection.subscribe('ac.crew.from.*.to.b.*', { callback: () => {} })
  connection.publish('$JS.API.CONSUMER.MSG.NEXT.AC_CREW.b', '1')
  connection.publish('$JS.API.CONSUMER.DURABLE.CREATE.AC_CREW.a', '{}')
  connection.publish('ac.crew.from.b.to.a.msg', '{}')
  connection.publish('agents.hb.agent-chat.b.frontend', '{}')
  connection.subscribe('agents.prompt.agent-chat.b.*', { callback: () => {} })
  await connection.flush()
  await connection.close()
  await listening
  return said.filter((text) => /permissions violation/i.test(text))
}

/** What a tool of NATS sees of the sessions, and what it hears of one that it prompts. */
async function listed(admin: Home) {
  const { server, seed } = readTeam(admin)
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
  const tool = await connect({ servers: server, tls: { ca: certificateOf(admin) }, authenticator })
  const ask = async (subject: string, replies: number) => {
    const options = { strategy: 'count' as const, maxMessages: replies, maxWait: 5000 }
    const answers = []
    for await (const answer of await tool.requestMany(subject, 'hello', options)) {
      if (answer instanceof Error) throw answer
      answers.push(answer)
    }
    return answers
  }
  const infos = (await ask('$SRV.INFO.agents', 2)).map((one) => one.json<Info>())
  const of = infos.find(({ metadata }) => metadata.session === 'frontend')
  const subjects = of?.endpoints.map(({ subject }) => subject) ?? []
  const [status] = await ask(subjects[1] ?? '', 1)
  const prompt = await ask(subjects[0] ?? '', 3)
  await tool.close()
  return {
    sessions: infos.map(({ metadata }) => metadata.session).sort(),
    status: status?.json(),
    prompt: prompt.map((one) => one.headers?.get('Nats-Service-Error-Code') ?? one.string()),
  }
}

type Info = { metadata: { session: string }; endpoints: { subject: string }[] }
