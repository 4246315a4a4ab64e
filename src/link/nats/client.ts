import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node'
import { CodedError, isCoded } from '../../errors.ts'
import { quote } from '../../message/name.ts'
import { reasonOf } from '../../system/errno.ts'
import { inboxOf } from './names.ts'

/** Who connects, and where. `host`: the machine; without it, the admin of the team. */
export type Login = { server: string; seed: string; ca: string; host?: string }

/** A connection that is made once is made again and again by the library. In milliseconds. */
const CONNECT_MS = 5000
const AGAIN_MS = 500

/**
 * Connects by TLS, with a key. Throws `NOT_ARRIVED` where nobody answers, and `PEER_REFUSES` where
 * the server does not take the key or is another one.
 */
export async function open({ server, seed, ca, host }: Login): Promise<NatsConnection> {
  try {
    return await connect({
      servers: server,
      tls: { ca },
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
      inboxPrefix: inboxOf(host),
      name: `agent-chat ${host ?? 'admin'}`,
      timeout: CONNECT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: AGAIN_MS,
      pingInterval: 5000,
      maxPingOut: 2,
    })
  } catch (error) {
    throw connectError(server, error)
  }
}

/** What the library said of a connection, in our words. */
export function connectError(server: string, error: unknown): CodedError {
  if (isCoded(error)) return error
  const cause =
    error instanceof Error && error.cause !== undefined ? ` ${reasonOf(error.cause)}` : ''
  const why = error instanceof Error ? `${error.message}${cause}` : String(error)
  if (/authorization|authentication/i.test(why))
    return new CodedError('PEER_REFUSES', `the server ${server} does not take this machine's key`, {
      hint: 'the admin may have revoked it: ask for a new one (agent-chat bridge invite <host>)',
    })
  if (/certificate has expired|CERT_HAS_EXPIRED/i.test(why))
    return new CodedError('PEER_REFUSES', `the certificate of ${server} has ended`, {
      hint: 'the admin makes a new one and invites each machine again: see "renew" in docs/machines.md',
    })
  if (/certificate|self.signed|altname|tls/i.test(why))
    return new CodedError('PEER_REFUSES', `${server} is not the team's server: ${quote(why)}`, {
      hint: 'if the server has a new certificate, ask the admin for a new invitation',
    })
  return new CodedError('NOT_ARRIVED', `the server ${server} was not reached: ${quote(why)}`, {
    hint: 'see that it runs (nats-server -c nats-server.conf), and that its port is open',
  })
}

/** Ends a connection; one that is broken is ended, too. */
export async function close(connection: NatsConnection): Promise<void> {
  await connection.close().catch(() => {})
}
