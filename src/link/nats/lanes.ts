import type { NatsConnection } from '@nats-io/transport-node'
import { type Me, readPeer, writePeer } from '../../bus/remote/peers.ts'
import type { Ports } from '../../chat/ports.ts'
import { isoTime } from '../../message/time.ts'
import { arrivalsFrom } from '../arrivals.ts'
import { LOOK_MS, runLane, runReceipts } from '../lane.ts'
import type { Arrivals } from '../transport.ts'
import type { Ticket } from './files.ts'
import type { Post } from './post.ts'
import type { Presence } from './presence.ts'

/** What is told of a bridge while it runs. */
export type BridgeNews = { is: 'up'; server: string } | { is: 'down'; why: string }

export type BridgePorts = Pick<Ports, 'env' | 'bus' | 'notice' | 'self' | 'onStop'> & {
  version: string
  tell: (news: BridgeNews) => void
}

/** One connection to the server, and the machines that are met there. */
export type Bridge = {
  ticket: Ticket
  me: Me
  ports: BridgePorts
  connection: NatsConnection
  post: Post
  presence: Presence
  arrivals: Map<string, Arrivals>
  wakes: (() => void)[]
  /** What is called when the server is there again. */
  returns: (() => void)[]
  over: () => boolean
  fail: (error: unknown) => void
}

/** In a large team each lane looks less often: so many of them a second, whatever their number. */
const LOOKS_A_SECOND = 10

/** The way to one machine, and what is done with what comes from it; undefined: unlinked here. */
export function startLane(bridge: Bridge, host: string): Arrivals | undefined {
  const { ports, me, ticket, arrivals, post, wakes, over, fail } = bridge
  const bus = ports.bus()
  const peer = readPeer(bus.home, host)
  if (peer?.unlinked) return undefined
  const begun = arrivals.get(host)
  if (begun) return begun
  if (peer?.team !== ticket.team)
    writePeer(bus, { created: isoTime(bus.clock.now()), ...peer, host, team: ticket.team })
  const made = arrivalsFrom(host, me, ports)
  arrivals.set(host, made)
  const pair = { me: me.host, host }
  const end = {
    ...{ ended: over, onEnd: (wake: () => void) => wakes.push(wake), onIdle: () => {} },
    lookMs: () => Math.max(LOOK_MS, (arrivals.size * 1000) / LOOKS_A_SECOND),
  }
  const failed = (error: unknown) => {
    if (!over()) fail(error)
  }
  runLane(bus, pair, post.to(host), end, ports.notice).catch(failed)
  runReceipts(bus, pair, post.to(host), end).catch(failed)
  return made
}
