import { isoTime } from '../message/time.ts'
import type { StateEvent } from '../session/state.ts'
import type { Participant } from './participant.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'

/** What was seen, with where and when. */
export function stateEvent(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  kind: StateEvent['kind'],
): StateEvent {
  return {
    kind,
    at: toldAt(payload) ?? isoTime(ports.bus().clock.now()),
    session_id: textOf(payload, 'session_id') ?? null,
    agent: who.agent,
    // Claude Code says so to each hook: https://code.claude.com/docs/en/hooks.
    plugin: ports.env.CLAUDE_PLUGIN_ROOT,
    transcript: textOf(payload, 'transcript_path'),
  }
}

/** When it happened, for an agent that says so (ISO 8601). */
export function toldAt(payload: Payload): string | undefined {
  const time = Date.parse(textOf(payload, 'told_at') ?? '')
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
