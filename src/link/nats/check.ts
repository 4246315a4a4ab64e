import { X509Certificate } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { isCoded } from '../../errors.ts'
import { freeBytes } from '../../system/disk.ts'
import { reasonOf } from '../../system/errno.ts'
import { liveHolder } from '../../system/pidlock.ts'
import { stateOf } from './admin.ts'
import { close, open } from './client.ts'
import { isAdmin, readTicket, type Ticket } from './files.ts'
import { agentSubject, inboxOf, MAX_FRAME, namesOf } from './names.ts'
import type { StreamState } from './server.ts'

/** A line of the doctor's. */
type Line =
  | { name: string; status: 'ok'; detail: string }
  | { name: string; status: 'warning' | 'failed'; detail: string; hint: string }

const ok = (detail: string): Line => ({ name: 'bridge', status: 'ok', detail })
const warning = (detail: string, hint: string): Line => ({
  ...{ name: 'bridge', status: 'warning', detail, hint },
})
const failed = (detail: string, hint: string): Line => ({
  ...{ name: 'bridge', status: 'failed', detail, hint },
})

const SOON_MS = 30 * 24 * 60 * 60_000

/** The bridge of this home: its process, its key, the server, and what the server must deny. */
export async function checkBridge(bus: Bus): Promise<Line[]> {
  const { home, processes, clock } = bus
  const lines: Line[] = []
  if (isAdmin(home)) lines.push(...(await checkStream(home)))
  if (!existsSync(home.bridgeTicket)) return lines
  const ticket = readTicket(home)
  lines.push(...checkFiles(home, ticket, clock.now()))
  if (!liveHolder(home.bridgeLock, processes))
    lines.push(warning('the bridge does not run', 'start it: agent-chat bridge run'))
  try {
    const connection = await open(ticket)
    try {
      lines.push(...serverLines(connection.info), await checkConsumer(connection, ticket))
      lines.push(await checkDenied(connection, ticket))
    } finally {
      await close(connection)
    }
  } catch (error) {
    if (!isCoded(error)) throw error
    lines.push(failed(error.message, error.hint))
  }
  return lines
}

function checkFiles(home: Home, { ca }: Ticket, now: number): Line[] {
  const open = (statSync(home.bridgeTicket).mode & 0o077) !== 0
  const end = Date.parse(new X509Certificate(ca).validTo)
  const day = new Date(end).toISOString().slice(0, 10)
  const renew = `the admin removes server.pem and server.key, makes new ones (docs/machines.md), and invites again`
  return [
    ...(open
      ? [
          failed(
            'others may read the key of this machine',
            `chmod 600 ${home.bridgeTicket}, and ask for a new invitation`,
          ),
        ]
      : []),
    ...(end < now ? [failed(`the server's certificate ended on ${day}`, renew)] : []),
    ...(end >= now && end < now + SOON_MS
      ? [warning(`the server's certificate ends on ${day}`, renew)]
      : []),
  ]
}

/** What is said of a server that says this of itself. */
export function serverLines(info: { version?: string; max_payload?: number } | undefined): Line[] {
  const { version = '', max_payload: most = 0 } = info ?? {}
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const old = major < 2 || (major === 2 && minor < 9)
  return [
    old
      ? failed(`nats-server is ${version}, and 2.9 is needed`, 'install a newer nats-server')
      : ok(`nats-server ${version} answers`),
    ...(most < MAX_FRAME
      ? [
          warning(
            `the server takes ${most} bytes at most: long messages are refused`,
            `set max_payload: ${MAX_FRAME} in nats-server.conf, and restart it`,
          ),
        ]
      : []),
  ]
}

async function checkConsumer(connection: NatsConnection, { team, host }: Ticket): Promise<Line> {
  try {
    const consumer = await jetstream(connection).consumers.get(namesOf(team).stream, host)
    const { config, num_pending: waiting } = await consumer.info()
    if (config.max_ack_pending === 1) return ok(`${waiting} waiting on the server for ${host}`)
    return failed(
      'the server gives more than one message at a time: their order is not kept',
      `on the server: nats consumer rm ${namesOf(team).stream} ${host}; then: agent-chat bridge init`,
    )
  } catch (error) {
    return failed(
      `the server has no queue for ${host}: ${reasonOf(error)}`,
      'the admin repairs it with: agent-chat bridge init',
    )
  }
}

/** Tries what another machine alone may do: each has to be denied. */
async function checkDenied(connection: NatsConnection, { team, host }: Ticket): Promise<Line> {
  const { stream, frame, presence, answer } = namesOf(team)
  const other = 'agent-chat-doctor'
  const publish = [
    frame(other, host, 'msg'),
    answer(other, host),
    presence(other),
    agentSubject('hb', other, 'probe'),
    `$JS.API.CONSUMER.INFO.${stream}.${other}`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${host}`,
    `$JS.API.STREAM.INFO.${stream}`,
  ]
  const subscribe = [
    frame('*', '*', '*'),
    answer('*', other),
    `${inboxOf(other)}.>`,
    agentSubject('prompt', other, '*'),
  ]
  const denied = new Set<string>()
  const listen = (async () => {
    for await (const status of connection.status()) {
      if (status.type !== 'error') continue
      const subject = /to "([^"]+)"/.exec(status.error.message)?.[1]
      if (subject !== undefined) denied.add(subject)
    }
  })()
  for (const subject of subscribe) connection.subscribe(subject, { callback: () => {} })
  // What is no request is harmless where it is let through by mistake.
  for (const subject of publish) connection.publish(subject, '-')
  await connection.flush()
  await connection.flush()
  const let_ = [...publish, ...subscribe].filter((subject) => !denied.has(subject))
  await close(connection)
  await listen
  if (let_.length === 0) return ok("the server denies this machine what is another's")
  return failed(
    `the server lets this machine do what is another's: ${let_.join(', ')}`,
    'include users.conf in its configuration as it is, and reload it',
  )
}

async function checkStream(home: Home): Promise<Line[]> {
  try {
    const store = join(home.bridge, 'store')
    return [streamLine(await stateOf(home), existsSync(store) ? freeBytes(store) : undefined)]
  } catch (error) {
    if (!isCoded(error)) return [failed(reasonOf(error), 'repair it with: agent-chat bridge init')]
    return [failed(error.message, error.hint)]
  }
}

/**
 * For the admin: a full disk wedges a server, so the stream's limit is to be far below the disk.
 * `free`: what that has left, where it is on this machine.
 */
export function streamLine(
  { bytes, maxBytes, waiting }: Omit<StreamState, 'consumers'>,
  free: number | undefined,
): Line {
  const held = `the server holds ${waiting} messages`
  if (maxBytes <= 0)
    return failed('the stream has no limit', 'set max_bytes: a full disk wedges the server')
  if (free !== undefined && free < 2 * (maxBytes - bytes))
    return warning(
      `the stream may grow by ${maxBytes - bytes} bytes, and the disk has ${free} left`,
      'make room there: a full disk wedges the server',
    )
  return bytes > maxBytes / 2
    ? warning(`${held}: over half of its limit`, 'see who is away: agent-chat bridge status')
    : ok(held)
}
