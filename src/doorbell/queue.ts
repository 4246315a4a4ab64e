import type { Agent, AgentQueue } from '../agents/agent.ts'
import type { Bus } from '../bus/bus.ts'
import type { Session } from '../bus/names/registry.ts'
import { noBell } from '../session/noBell.ts'
import { ringText } from '../session/ringText.ts'
import { believedState } from '../session/stateFile.ts'
import { isErrno, reasonOf } from '../system/errno.ts'
import type { RpcSocket } from '../system/rpcSocket.ts'
import { timeLeft } from '../system/timeLeft.ts'
import type { Doorbell, RingResult } from './ringer.ts'

export type QueuePorts = {
  open: (path: string, onNotice: (method: string) => void) => Promise<RpcSocket>
  pause: (ms: number) => Promise<void>
}

/** A prompt that is taken is taken at once; after Escape it waits for good. In milliseconds. */
const TAKEN_MS = 500
const LOOK_MS = 20

const RING = /^(New message|\d+ new messages)( from @[a-z0-9@, -]+)?\. Check inbox\.$/

/**
 * Wakes an agent by the queue of its own server: nothing is typed. It rings only where the agent
 * says that it is idle, so that what comes in a turn rings once, at its end. A queue that waits
 * since the human pressed Escape is started again.
 */
export function queueDoorbell(bus: Bus, agent: Agent & { queue: AgentQueue }, ports: QueuePorts) {
  let wake = () => {}
  const link = linked(agent, ports, () => wake())
  const doorbell: Doorbell = {
    name: 'queue',
    asks: true,
    onChange: (call) => {
      wake = call
    },
    ring: async (session, claim) => {
      if (session.server === undefined)
        return refusal(`no bell: ${noBell(session, undefined).no_bell}`)
      try {
        const { call } = await link(session.server)
        return await ring(session, claim, { bus, agent, call, pause: ports.pause })
      } catch (error) {
        return refusal(`no bell: ${isGone(error) ? ENDED : reasonOf(error)}`)
      }
    },
  }
  return doorbell
}

const ENDED = 'the server of this agent has ended'

function isGone(error: unknown): boolean {
  return isErrno(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET')
}

/** One connection for as long as it holds. */
function linked(
  { queue, title, versions }: Agent & { queue: AgentQueue },
  { open }: QueuePorts,
  onChange: () => void,
) {
  let now: RpcSocket | undefined
  return async (path: string): Promise<RpcSocket> => {
    if (now?.isOpen()) return now
    const next = await open(path, (method) => {
      if (method === queue.changed) onChange()
    })
    const version = await queue.hello(next.call)
    next.notify(queue.begun)
    if (version === undefined || isOlder(version, versions.oldest)) {
      next.close()
      throw new Error(
        `${title} ${version ?? 'of an unknown version'} is older than ${versions.oldest}`,
      )
    }
    now = next
    return next
  }
}

function isOlder(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) < 0
}

type Ringing = Pick<RpcSocket, 'call'> &
  Pick<QueuePorts, 'pause'> & {
    bus: Bus
    agent: { queue: AgentQueue }
  }

async function ring(
  { name }: Session,
  claim: () => string[],
  { bus, agent: { queue }, call, pause }: Ringing,
): Promise<RingResult> {
  const told = believedState(bus.home, name, bus.processes)?.session_id ?? null
  const now = await queue.current(call, told)
  if (typeof now === 'string') return refusal(now)
  if (now.activity === 'asking') return refusal('a dialog is open')
  if (now.activity === 'busy') return refusal('the agent is busy')
  // One that a ringer which was killed has left: it is for all that is unread now.
  const left = (await queue.queued(call, now.id)).find(({ text }) => RING.test(text))
  const ids = claim()
  if (ids.length === 0) return { kind: 'rung' }
  const text = left?.text ?? ringText(ids)
  if (!left) await queue.add(call, now.id, text, ids.at(-1) ?? text)
  const waits = async () => (await queue.queued(call, now.id)).find((one) => one.text === text)
  for (const time = timeLeft(left ? 0 : TAKEN_MS); time() > 0; await pause(LOOK_MS))
    if ((await waits()) === undefined) return { kind: 'rung' }
  const item = await waits()
  const again = item && (await queue.current(call, told))
  // Where the human has begun a turn meanwhile, it comes at the end of that.
  if (item && typeof again === 'object' && again.activity === 'idle')
    await queue.start(call, now.id, item.id).catch(async (error: unknown) => {
      // It was taken this very moment.
      if ((await waits()) !== undefined) throw error
    })
  return { kind: 'rung' }
}

function refusal(why: string): RingResult {
  return { kind: 'wait', why, typed: false }
}
