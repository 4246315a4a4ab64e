import { isoTime } from '../../message/time.ts'
import { changeState } from '../../session/stateFile.ts'
import { withBorn, withStarting } from '../../session/subagents.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { type Reply, SILENT } from '../reply.ts'

/** A subagent begins, or goes on after a rest: notes in whose turn it was born. */
export function subagentStart(ports: HookPorts, payload: Payload): Reply {
  const who = participant(ports)
  const id = textOf(payload, 'agent_id')
  if (!who || id === undefined) return SILENT
  const now = isoTime(ports.bus().clock.now())
  changeState(ports.bus(), who.name, (before) => before && withBorn(before, id, now))
  return SILENT
}

/** A call is about to start a subagent: the host does not tell the subagent who did. */
export function noteStarting(ports: HookPorts, payload: Payload, who: Participant): void {
  const call = textOf(payload, 'tool_use_id')
  if (call === undefined) return
  const agent = textOf(payload, 'agent_id') ?? null
  const at = isoTime(ports.bus().clock.now())
  changeState(
    ports.bus(),
    who.name,
    (before) => before && withStarting(before, { call, agent, at }),
  )
}
