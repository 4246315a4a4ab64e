import type { Call, Decision } from '../permission/call.ts'
import type { ClientEvent, Result } from './line.ts'
import { type Silence, watchSilence } from './silence.ts'

/** A turn that has no result: the client ended, was silent, or its key was refused. */
export type Lost = { lost: 'ended' | 'silent' | 'refused'; why: string }

export type TurnHandlers = {
  onEvent: (event: ClientEvent) => void
  /** Puts a tool call to the human. */
  decide: (call: Call) => Promise<Decision>
}

/** One prompt and what comes of it. */
export type Exchange = {
  end: Promise<Result | Lost>
  heard: () => void
  take: (event: ClientEvent) => void
  settle: (end: Result | Lost) => void
}

/**
 * Begins one. `send` writes to the client; `onSilence` is called once nothing was heard of it for
 * too long.
 */
export function beginExchange(
  handlers: TurnHandlers,
  limits: Silence,
  send: (line: Record<string, unknown>) => void,
  onSilence: (why: Lost) => void,
): Exchange {
  let settle: Exchange['settle'] = () => {}
  const end = new Promise<Result | Lost>((resolve) => {
    settle = resolve
  })
  const silence = watchSilence(
    limits,
    (ms) => onSilence({ lost: 'silent', why: `Claude Code said nothing for ${ms / 1000} s` }),
    (is) => handlers.onEvent({ type: 'quiet', is }),
  )
  void end.then(silence.end)
  const tools = new Map<string, string>()
  const asked = new Set<string>()
  const answer = async (event: Extract<ClientEvent, { type: 'asks' }>) => {
    asked.add(event.id)
    silence.pause(true)
    const decision = await handlers.decide(event).catch(denied)
    // The client no longer wants to know, or the turn is over.
    if (!asked.delete(event.id)) return
    silence.pause(asked.size > 0)
    send(permissionAnswer(event, decision))
  }
  const take = (told: ClientEvent) => {
    const event = told.type === 'tool_complete' ? { ...told, tool: tools.get(told.id) ?? '' } : told
    handlers.onEvent(event)
    if (event.type === 'tool_start') silence.tools(tools.set(event.id, event.tool).size)
    if (event.type === 'tool_complete' && tools.delete(event.id)) silence.tools(tools.size)
    if (event.type === 'withdraws' && asked.delete(event.id)) silence.pause(asked.size > 0)
    if (event.type === 'asks') void answer(event)
    if (event.type === 'retry' && event.error === 'authentication_failed') settle(REFUSED)
    if (event.type === 'result') settle(event.result)
  }
  return { end, heard: silence.heard, take, settle }
}

/** Claude Code would try 10 times, for minutes. */
const REFUSED: Lost = {
  lost: 'refused',
  why: 'the API refuses the key or the login of Claude Code (authentication_failed)',
}

function permissionAnswer(
  { id, input }: { id: string; input: Record<string, unknown> },
  decision: Decision,
): Record<string, unknown> {
  const response = decision.allow
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: decision.message }
  return { type: 'control_response', response: { subtype: 'success', request_id: id, response } }
}

function denied(error: unknown): Decision {
  return { allow: false, message: error instanceof Error ? error.message : String(error) }
}
