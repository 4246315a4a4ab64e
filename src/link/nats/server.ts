import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { reasonOf } from '../../system/errno.ts'
import { MAX_FRAME, namesOf } from './names.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * A machine has one message and one list of receipts on its way to another. Of more, the oldest
 * goes: a server that was killed may bring back, for good, what was acknowledged (seen with 2.9.10).
 * Whoever has more otherwise is at fault, and fills only its own subjects.
 */
const MAX_A_SUBJECT = 64
const MAX_BYTES = 512 * 1024 * 1024
const DEDUPE_MS = 10 * 60_000

/** What a killed bridge had in its hands comes again after this; to take it twice is harmless. */
export const ACK_WAIT_MS = 2000

/** What is known of the stream of a team, for the admin. */
export type StreamState = { waiting: number; bytes: number; maxBytes: number; consumers: number }

/** Makes what is missing on the server: also after its disk was lost. */
export async function prepare(
  connection: NatsConnection,
  team: string,
  hosts: readonly string[],
  maxBytes = MAX_BYTES,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const { stream, presenceStream, presence, frame, kept } = namesOf(team)
  await add(manager, {
    name: stream,
    subjects: [frame('*', '*', '*'), kept],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_msgs_per_subject: MAX_A_SUBJECT,
    max_bytes: maxBytes,
    max_msg_size: MAX_FRAME,
    duplicate_window: nanos(DEDUPE_MS),
  })
  await mend(manager, stream, kept)
  await keepOne(manager, stream, kept)
  // As a key-value bucket of NATS is, so that its own tools show it.
  await add(manager, {
    name: presenceStream,
    subjects: [presence('>')],
    storage: StorageType.Memory,
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    max_bytes: 64 * 1024 * 1024,
    max_age: nanos(30 * DAY_MS),
    allow_rollup_hdrs: true,
    allow_direct: true,
    deny_delete: true,
  })
  for (const host of hosts)
    await manager.consumers.add(stream, {
      durable_name: host,
      filter_subject: frame('*', host, '*'),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 1,
      max_deliver: -1,
    })
}

/** Gives a stream of an earlier version what it has now. */
async function mend(manager: JetStreamManager, stream: string, kept: string) {
  const { config } = await manager.streams.info(stream)
  const { subjects, discard_new_per_subject: refuses } = config
  if (subjects.includes(kept) && !refuses) return
  await manager.streams.update(stream, {
    subjects: [...new Set([...subjects, kept])],
    discard_new_per_subject: false,
  })
}

/**
 * Puts one message that nobody reads into a stream: a server that is killed while the stream is
 * empty begins to count anew, and gives no consumer what it has from then on (seen with 2.9.10).
 */
async function keepOne(manager: JetStreamManager, stream: string, subject: string) {
  const { state } = await manager.streams.info(stream, { subjects_filter: subject })
  if (!state.subjects?.[subject]) await manager.jetstream().publish(subject, '-')
}

/** A stream that is there stays as it is: its admin may have changed it. */
async function add(
  manager: JetStreamManager,
  config: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  try {
    await manager.streams.info(config.name)
  } catch (error) {
    if (!/not found/i.test(reasonOf(error))) throw error
    await manager.streams.add(config)
  }
}

/** A machine that was revoked gets nothing more, and what it wrote is read by nobody. */
export async function forget(
  connection: NatsConnection,
  team: string,
  host: string,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const { stream, presenceStream, presence, frame } = namesOf(team)
  const missing = (error: unknown) => {
    if (!/not found/i.test(reasonOf(error))) throw error
  }
  await manager.consumers.delete(stream, host).catch(missing)
  for (const filter of [frame('*', host, '*'), frame(host, '*', '*')])
    await manager.streams.purge(stream, { filter }).catch(missing)
  await manager.streams.purge(presenceStream, { filter: presence(host) }).catch(missing)
}

export async function streamState(connection: NatsConnection, team: string): Promise<StreamState> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const { stream } = namesOf(team)
  const { config, state } = await manager.streams.info(stream)
  // Not what the stream has: of that, a server that was killed may keep what nobody gets any more.
  let waiting = 0
  for await (const { num_pending, num_ack_pending } of manager.consumers.list(stream))
    waiting += num_pending + num_ack_pending
  const { bytes, consumer_count: consumers } = state
  return { waiting, bytes, maxBytes: config.max_bytes, consumers }
}
