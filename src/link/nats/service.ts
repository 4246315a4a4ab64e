import { createHash } from 'node:crypto'
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../../bus/bus.ts'
import type { Me } from '../../bus/remote/peers.ts'
import type { Ports } from '../../chat/ports.ts'
import { isoTime } from '../../message/time.ts'
import { reasonOf } from '../../system/errno.ts'
import { rosterFor } from '../roster.ts'
import { AGENT, agentSubject, MAX_FRAME, TOOLS_INBOX } from './names.ts'

/** The version of the Synadia agent protocol for NATS in whose shape sessions are listed. */
const PROTOCOL = '0.3'

/** The name by which its tools find agents, and the group that its endpoints are in. */
const SERVICE = 'agents'

/** Each session is told of this often. In seconds. */
const INTERVAL_S = 30

/** Who tells, and over what. `version`: that of this program. */
export type Listed = { connection: NatsConnection; me: Me; version: string }

/**
 * Lists the sessions here for tools of NATS (`nats micro list`, `$SRV.INFO.agents`), one service
 * each. It is a list and no more: a prompt is refused, since nobody proves who sends it. Gives
 * what ends it.
 */
export function startService(
  listed: Listed,
  { bus: busOf, notice }: Pick<Ports, 'bus' | 'notice'>,
): () => void {
  const { connection, me } = listed
  const bus = busOf()
  const started = isoTime(bus.clock.now())
  const roster = rosterFor(bus)
  const here = () => roster().filter(({ state }) => state !== 'gone')
  const serve = (subject: string, answer: (message: Msg) => void, group?: { queue: string }) =>
    connection.subscribe(subject, {
      ...group,
      callback: (error, message) => {
        // Only to where tools listen: a member of the team could name any other place.
        if (error || !message.reply?.startsWith(`${TOOLS_INBOX}.`)) return
        try {
          answer(message)
        } catch (wrong) {
          notice(reasonOf(wrong))
        }
      },
    })
  serve('$SRV.>', (message) => {
    const [, verb = '', name = SERVICE, id] = message.subject.split('.')
    if (name !== SERVICE || !Object.hasOwn(RECORDS, verb)) return
    const records = here().map((session) => RECORDS[verb]?.(listed, session.name, started))
    for (const record of records)
      if (record && (id === undefined || record.id === id)) message.respond(JSON.stringify(record))
  })
  serve(agentSubject('prompt', me.host, '*'), refusePrompt, { queue: SERVICE })
  serve(
    agentSubject('status', me.host, '*'),
    (message) => {
      const name = message.subject.split('.').at(-1) ?? ''
      if (here().some((session) => session.name === name))
        message.respond(beatOf(listed, name, bus.clock.now()))
    },
    { queue: SERVICE },
  )
  const timer = setInterval(() => tellAll(listed, here(), bus), INTERVAL_S * 1000)
  tellAll(listed, here(), bus)
  return () => clearInterval(timer)
}

function tellAll(
  listed: Listed,
  sessions: readonly { name: string }[],
  { clock }: Pick<Bus, 'clock'>,
): void {
  const { connection, me } = listed
  if (connection.isClosed()) return
  for (const { name } of sessions)
    connection.publish(agentSubject('hb', me.host, name), beatOf(listed, name, clock.now()))
}

/** The protocol wants a first word, what went wrong, and an empty end. */
function refusePrompt(message: Msg): void {
  const wrong = headers()
  wrong.set('Nats-Service-Error-Code', '403')
  wrong.set('Nats-Service-Error', 'write to this session with: agent-chat send @name.machine')
  message.respond(JSON.stringify({ type: 'status', data: 'ack' }))
  message.respond('', { headers: wrong })
  message.respond('')
}

function beatOf({ me }: Listed, name: string, now: number): string {
  const who = { agent: AGENT, owner: me.host, session: name, instance_id: instanceOf(me, name) }
  return JSON.stringify({ ...who, ts: isoTime(now), interval_s: INTERVAL_S })
}

/** What a tool is told of one session, by what it asks for. */
const RECORDS: Record<
  string,
  (listed: Listed, name: string, started: string) => Record<string, unknown>
> = {
  PING: (listed, name) => ({ type: 'io.nats.micro.v1.ping_response', ...serviceOf(listed, name) }),
  INFO: (listed, name) => ({
    ...{ type: 'io.nats.micro.v1.info_response', ...serviceOf(listed, name) },
    description: `agent-chat session @${name}.${listed.me.host}`,
    endpoints: endpointsOf(listed, name),
  }),
  STATS: (listed, name, started) => ({
    ...{ type: 'io.nats.micro.v1.stats_response', ...serviceOf(listed, name), started },
    endpoints: endpointsOf(listed, name).map(({ metadata: _, ...endpoint }) => ({
      ...{ ...endpoint, num_requests: 0, num_errors: 0, last_error: '' },
      ...{ processing_time: 0, average_processing_time: 0 },
    })),
  }),
}

function serviceOf({ me, version }: Listed, name: string) {
  const metadata = { agent: AGENT, owner: me.host, session: name, protocol_version: PROTOCOL }
  return { name: SERVICE, id: instanceOf(me, name), version, metadata }
}

function endpointsOf({ me }: Listed, name: string) {
  const endpoint = (verb: 'prompt' | 'status', metadata: Record<string, string>) => ({
    ...{ name: verb, subject: agentSubject(verb, me.host, name), queue_group: SERVICE, metadata },
  })
  const limits = { max_payload: `${MAX_FRAME / 1024 / 1024}MB`, attachments_ok: 'false' }
  return [endpoint('prompt', limits), endpoint('status', {})]
}

/** The same at each start: a tool then knows the session again. */
function instanceOf({ id }: Me, name: string): string {
  return createHash('sha256').update(`${id} ${name}`).digest('hex').slice(0, 22).toUpperCase()
}
