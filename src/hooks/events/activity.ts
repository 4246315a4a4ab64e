import type { StateEvent } from '../../session/state.ts'
import { noteEvent, readState } from '../../session/stateFile.ts'
import { participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { type Reply, SILENT } from '../reply.ts'

/** Notifications that mean a dialog is open, and those that mean that nothing is under way. */
const NOTIFICATIONS: Record<string, StateEvent['kind']> = {
  permission_prompt: 'asked',
  elicitation_dialog: 'asked',
  agent_needs_input: 'asked',
  idle_prompt: 'rested',
}

/** A permission or question dialog opens, whoever asked for it: the session's own keyboard answers it. */
export function permissionRequest(ports: HookPorts, payload: Payload): Reply {
  return note(ports, payload, 'asked')
}

export function notification(ports: HookPorts, payload: Payload): Reply {
  const kind = NOTIFICATIONS[textOf(payload, 'notification_type') ?? '']
  return kind ? note(ports, payload, kind) : SILENT
}

/** A tool has run, so a dialog before it was answered. Most tools had none: then there is nothing to write. */
export function postToolUse(ports: HookPorts, payload: Payload): Reply {
  const who = participant(ports)
  if (!who || readState(ports.bus().home, who.name)?.activity !== 'asking') return SILENT
  return note(ports, payload, 'worked')
}

/** The turn is over. A subagent's end is not the session's. */
export function stop(ports: HookPorts, payload: Payload): Reply {
  return isSubagent(payload) ? SILENT : note(ports, payload, 'stopped')
}

/** `/clear` and `/resume` end a conversation, not the session: a SessionStart follows. */
export function sessionEnd(ports: HookPorts, payload: Payload): Reply {
  const reason = textOf(payload, 'reason')
  return reason === 'clear' || reason === 'resume' ? SILENT : note(ports, payload, 'ended')
}

/** Whether the event is a subagent's own. */
export function isSubagent(payload: Payload): boolean {
  return textOf(payload, 'agent_id') !== undefined
}

/** Writes what was seen into the session's state. */
export function note(ports: HookPorts, payload: Payload, kind: StateEvent['kind']): Reply {
  const who = participant(ports)
  if (!who) return SILENT
  const bus = ports.bus()
  const at = new Date(bus.clock.now()).toISOString()
  noteEvent(bus, who.name, { kind, at, session_id: textOf(payload, 'session_id') ?? null, agent: who.agent })
  return SILENT
}
