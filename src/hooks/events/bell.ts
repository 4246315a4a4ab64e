import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { record } from '../../bus/history.ts'
import { ringsNatively } from '../../session/doorbellChoice.ts'
import { claimRing, settleRing } from '../../session/rings.ts'
import { ringText } from '../../session/ringText.ts'
import { noteEvent } from '../../session/stateFile.ts'
import { exportName, watchPaths } from '../armed.ts'
import { hookAgent, type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { answer, type Reply, SILENT } from '../reply.ts'

/**
 * The session's bell was rung: wakes the agent (exit 2, under `asyncRewake`) where something is unread that nobody has rung for. Once per
 * batch, and not for what was read meanwhile, nor while all doorbells are paused.
 */
export function bell(ports: HookPorts, payload: Payload): Reply {
  const path = textOf(payload, 'file_path') ?? ''
  const who = participant(ports)
  if (!who || dirname(path) !== ports.bus().home.bell(who.name)) return SILENT
  return ringFor(ports, who)
}

/** As `bell`, when an agent has started: its bell is silent about what was there before. */
export function startRing(ports: HookPorts): Reply {
  const who = participant(ports)
  return who ? ringFor(ports, who) : SILENT
}

/** A session was joined or left from inside an agent: that agent takes up its new name, and listens to its bell or no longer. */
export function joined(ports: HookPorts, payload: Payload): Reply {
  const bus = ports.bus()
  const path = textOf(payload, 'file_path') ?? ''
  if (dirname(path) !== bus.home.joinsBell || basename(path) !== String(hookAgent(ports)?.pid)) return SILENT
  const who = participant(ports)
  if (who)
    noteEvent(bus, who.name, { ...eventBase(ports, payload), kind: 'prompted', native: ringsNatively(who.session) })
  exportName(ports, who)
  return answer('FileChanged', { watchPaths: watchPaths(ports, who) })
}

/** The working directory has changed, and with it, on some systems, what is watched. */
export function cwdChanged(ports: HookPorts): Reply {
  const who = participant(ports)
  if (!who) return SILENT
  exportName(ports, who)
  return answer('CwdChanged', { watchPaths: watchPaths(ports, who) })
}

function ringFor(ports: HookPorts, who: Participant): Reply {
  const bus = ports.bus()
  if (!ringsNatively(who.session) || existsSync(bus.home.paused)) return SILENT
  const ids = claimRing(bus, who.name, 'native')
  if (ids.length === 0) return SILENT
  return {
    stderr: `${ringText(ids)}\n`,
    exit: 2,
    after: () => {
      settleRing(bus, who.name, 'native', ids, true)
      record(bus, 'rung', { ids, to: who.name, doorbell: 'native' })
      record(bus, 'presented', { ids, to: who.name, doorbell: 'native' })
    },
  }
}

function eventBase(ports: HookPorts, payload: Payload) {
  const at = new Date(ports.bus().clock.now()).toISOString()
  return { at, session_id: textOf(payload, 'session_id') ?? null, agent: hookAgent(ports) }
}
