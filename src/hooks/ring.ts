import { existsSync } from 'node:fs'
import { record } from '../bus/history.ts'
import { ringsNatively } from '../session/doorbellChoice.ts'
import { claimRing, type RingScope, settleRing } from '../session/rings.ts'
import { ringText } from '../session/ringText.ts'
import { isAtWork, turnBegan } from '../session/state.ts'
import { believedState } from '../session/stateFile.ts'
import { faultPoint } from '../system/fault.ts'
import { isInterrupted } from './interrupted.ts'
import type { Participant } from './participant.ts'
import type { Payload } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { type Reply, SILENT } from './reply.ts'

/**
 * Wakes the agent (exit 2, under `asyncRewake`) where something is unread that nobody has rung for:
 * once per batch, and not while all doorbells are paused. What `scope` leaves out stays there to be
 * claimed.
 */
export function ringFor(ports: HookPorts, who: Participant, scope: RingScope): Reply {
  const bus = ports.bus()
  if (who.worker || !ringsNatively(who.session) || existsSync(bus.home.paused)) return SILENT
  const ids = claimRing(bus, who.name, 'native', scope)
  if (ids.length === 0) return SILENT
  return {
    stderr: `${ringText(ids)}\n`,
    exit: 2,
    after: () => {
      faultPoint('bell:told')
      settleRing(bus, who.name, 'native', ids, true)
      record(bus, 'rung', { ids, to: who.name, doorbell: 'native' })
      record(bus, 'presented', { ids, to: who.name, doorbell: 'native' })
      faultPoint('bell:noted')
    },
  }
}

/**
 * What may ring now: in a turn, and behind a dialog of the user's, urgent messages alone. The
 * others ring when that is over. `until`: an interruption after that ends nothing (Unix time in
 * milliseconds).
 */
export function ringsNow(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  until = Number.POSITIVE_INFINITY,
): RingScope {
  const { home, processes } = ports.bus()
  const state = believedState(home, who.name, processes)
  if (state === undefined || !isAtWork(state.activity)) return 'all'
  const turn = { agent: state.agent, begun: turnBegan(state), until }
  return isInterrupted(payload, turn) ? 'all' : 'urgent'
}
