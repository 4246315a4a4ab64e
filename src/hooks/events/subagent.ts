import { isoTime } from '../../message/time.ts'
import { changeState } from '../../session/stateFile.ts'
import { keyOf, withCall, withoutCalls } from '../../session/subagentCalls.ts'
import { withBorn, withStarting } from '../../session/subagents.ts'
import { tellsCaller, toolOf } from '../call.ts'
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

/**
 * Notes whose call is about to run a command, or a tool of a server: what it runs cannot tell by
 * itself. A command of the main conversation is its own, so a subagent's of the same words is
 * forgotten.
 */
export function noteCaller(ports: HookPorts, payload: Payload, who: Participant): void {
  const call = textOf(payload, 'tool_use_id')
  if (call === undefined || !who.state || !tellsCaller(payload, who.state)) return
  const { command } = toolOf(payload).input
  const agent = textOf(payload, 'agent_id')
  const type = textOf(payload, 'agent_type')
  const key = typeof command === 'string' ? keyOf(command) : undefined
  const isSame = (one: { key?: string }) => key !== undefined && one.key === key
  if (agent === undefined && !who.state.calls?.some(isSame)) return
  const noted = { call, ...(type && { type }), ...(key && { key }) }
  changeState(ports.bus(), who.name, (before) => {
    if (!before) return before
    return agent === undefined
      ? withoutCalls(before, isSame)
      : withCall(before, { ...noted, agent })
  })
}

/** A call has ended; one that goes on in the background is still its subagent's. */
export function noteCallEnd(ports: HookPorts, payload: Payload, who: Participant): void {
  const isIt = ({ call }: { call: string }) => call === textOf(payload, 'tool_use_id')
  if (!who.state?.calls?.some(isIt)) return
  changeState(ports.bus(), who.name, (before) => before && withoutCalls(before, isIt))
}
