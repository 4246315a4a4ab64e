import { existsSync } from 'node:fs'
import { logLine } from '../system/log.ts'
import { mayBeParticipant } from './participant.ts'
import { type Payload, parsePayload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { answer, fitted, type Reply, SILENT } from './reply.ts'

/**
 * A hook, and what a fault of our own in it means: `open`, the session goes on as if there were no
 * hook, and what is lost says `costs`; `closed`, what the hook judges is stopped, unless this agent
 * is no session of ours.
 */
type Hook = {
  run: (ports: HookPorts, payload: Payload) => Reply | Promise<Reply>
  onFault: 'open' | 'closed'
  costs: string
}

/** Hooks by the word that `hooks.json` gives them. */
export type Hooks = Record<string, Hook>

/** Answers one hook, most of them at once. A fault of our own is logged where `doctor` finds it. */
export function runHook(
  hooks: Hooks,
  word: string | undefined,
  stdin: () => string,
  ports: HookPorts,
): Reply | Promise<Reply> {
  const onFault = (error: unknown): Reply => {
    noteFault(word, error, ports)
    const closed = word !== undefined && hooks[word]?.onFault === 'closed'
    return closed && mayBeParticipant(ports) ? fitted(unsure(), ports) : SILENT
  }
  try {
    const payload = parsePayload(stdin())
    if (!payload) noteFault(word, new Error('the payload is not a JSON object'), ports)
    const hook = word !== undefined && Object.hasOwn(hooks, word) ? hooks[word] : undefined
    if (!hook) return isCall(payload) && mayBeParticipant(ports) ? fitted(FOREIGN, ports) : SILENT
    const reply = hook.run(ports, as(ports, payload ?? {}))
    return reply instanceof Promise
      ? reply.then((later) => fitted(later, ports)).catch(onFault)
      : fitted(reply, ports)
  } catch (error) {
    return onFault(error)
  }
}

/** Whether a payload asks whether a tool may run. */
function isCall(payload: Payload | undefined): boolean {
  return payload?.hook_event_name === 'PreToolUse'
}

/** To a word that only another version of this program knows. */
const FOREIGN = answer('PreToolUse', {
  permissionDecision: 'ask',
  permissionDecisionReason:
    'agent-chat: this session has the hooks of another version, so nobody knows whose turn this is; start it again',
})

/** The payload as Claude Code would give it. */
function as({ agent }: HookPorts, payload: Payload): Payload {
  if (!agent?.hooks) return payload
  const { tools, payload: read } = agent.hooks
  const known = read(payload)
  const { tool_name: name, tool_input: input } = known
  if (typeof name !== 'string') return known
  // A call without an id of its own is known by what it is.
  const tool_use_id = textOf(known, 'tool_use_id') ?? `${name} ${JSON.stringify(input)}`
  const is = Object.hasOwn(tools, name) ? tools[name] : undefined
  return { ...known, tool_use_id, tool_name: is ?? foreign(name, agent.name) }
}

/** Claude Code's tools have large letters: what another agent calls so is not one of them. */
function foreign(tool: string, agent: string): string {
  return /^[A-Z]/.test(tool) ? `${agent}:${tool}` : tool
}

function unsure(): Reply {
  return answer('PreToolUse', {
    permissionDecision: 'ask',
    permissionDecisionReason:
      'agent-chat could not tell who started this turn: a bug in agent-chat (see agent-chat doctor)',
  })
}

/** Runs what is only true once the answer was written. */
export function afterReply(word: string | undefined, reply: Reply, ports: HookPorts): void {
  try {
    reply.after?.()
  } catch (error) {
    noteFault(word, error, ports)
  }
}

function noteFault(word: string | undefined, error: unknown, ports: HookPorts): void {
  try {
    const { home } = ports.bus()
    // A hook is no reason to make a home.
    if (!existsSync(home.root)) return
    logLine(
      home.hookLog,
      `${word}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  } catch {
    // Without a home there is nobody to tell.
  }
}
