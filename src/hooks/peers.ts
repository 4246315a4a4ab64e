import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { record } from '../bus/history.ts'
import { hashOf } from '../changes/hash.ts'
import type { Asked } from '../changes/meet.ts'
import { sharedAt } from '../changes/peers.ts'
import { treeOf } from '../changes/tree.ts'
import type { ToolCall } from '../message/call.ts'
import { unless } from '../system/errno.ts'
import { namesIn } from '../system/files.ts'
import type { ProcessRef } from '../system/processes.ts'
import { EDITS } from '../trust/toolGate/table.ts'
import { toolOf } from './call.ts'
import type { Participant } from './participant.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { answer, type Reply } from './reply.ts'

/** A command that may undo changes which it does not name. */
const SWEEPS = /\b(?:git|rm|unlink|shred|find|patch)\b/
/** Codex gives a patch to a shell as well. */
const PATCH = /^\*\*\* Begin Patch$/m
/** Tools of other agents that have no name in the table. */
const PATCHES = /^(apply_)?patch$|^multiedit$/
/** Codes of a disk that takes no note: then the session goes on without. */
const NO_PLACE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EISDIR']
const PATHS = ['file_path', 'notebook_path', 'filePath', 'path']

/**
 * Whether a call may change what a peer in the same repository has changed as well. A session that is
 * alone there pays for a look at the registry, which its hook has read already.
 */
export function mayMeet(ports: HookPorts, payload: Payload, who: Participant): boolean {
  const call = toolOf(payload)
  if (!isEdit(call) && !isSweep(call.input)) return false
  if (ports.env.AGENT_CHAT_CLAIMS === 'off' || agentOf(who) === null) return false
  return sharesWith(ports, payload, who, call.input) || mayBeClaimed(ports, payload, call.input)
}

/** Whether a call may reach what is claimed: a file's repository has claims, or another call's may. */
function mayBeClaimed(ports: HookPorts, payload: Payload, input: Record<string, unknown>): boolean {
  const { home } = ports.bus()
  const names = unless(NO_PLACE, () => namesIn(home.claims)) ?? []
  const claimed = names.filter((name) => name.endsWith('.json'))
  const path = claimed.length === 0 ? undefined : pathIn(payload, input)
  if (path === undefined) return claimed.length > 0
  const tree = treeOf(path)
  return tree !== undefined && existsSync(home.claimsIn(hashOf(tree.common)))
}

/** The file that a call names, as it is seen from where the call is made. */
function pathIn(payload: Payload, input: Record<string, unknown>): string | undefined {
  const named = PATHS.map((key) => input[key]).find((path) => typeof path === 'string')
  const cwd = textOf(payload, 'cwd')
  return typeof named === 'string' ? resolve(cwd ?? '/', named) : undefined
}

function isSweep({ command }: Record<string, unknown>): boolean {
  return typeof command === 'string' && SWEEPS.test(command)
}

function isEdit({ name, input: { command } }: ToolCall): boolean {
  const isPatch = typeof command === 'string' && PATCH.test(command)
  return EDITS.has(name) || PATCHES.test(name) || isPatch
}

/** Whether another session was started in the repository of a call's file; of its folder, without one. */
function sharesWith(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  input: Record<string, unknown>,
): boolean {
  const place = pathIn(payload, input) ?? textOf(payload, 'cwd')
  if (place === undefined || !isAbsolute(place)) return false
  return sharedAt(place, who.name, who.sessions, ports.bus()) !== undefined
}

/** The process that stands for a session in the registry, by which its peers know it. */
function agentOf({ session, agent }: Participant): ProcessRef | null {
  return session.agent ?? agent
}

/**
 * Refuses a call once that would change what a peer has changed, in every turn alike and without a
 * dialog. Else the guardrails judge it, and where they refuse it, nothing was changed.
 */
export async function unlessMet(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  judged: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const agent = agentOf(who)
  if (agent === null) return judged()
  const asked = askedOf(ports, payload, who, agent)
  if (mayBeClaimed(ports, payload, asked.call.input)) {
    const { claimRefusal } = await import('../changes/claims.ts')
    const claimed = unless(NO_PLACE, () => claimRefusal(asked))
    if (claimed !== undefined) return refused(ports, asked, claimed, 'claims')
  }
  if (!isEdit(asked.call)) {
    const { sweptBy } = await import('../changes/swept.ts')
    const swept = unless(NO_PLACE, () => sweptBy(asked))
    return swept === undefined ? judged() : refused(ports, asked, swept)
  }
  const { meetingOf } = await import('../changes/meet.ts')
  const meeting = unless(NO_PLACE, () => meetingOf(asked))
  const refusal = meeting?.refusal
  if (refusal !== undefined) return refused(ports, asked, refusal)
  const reply = await judged()
  if (reply.stdout?.includes('"permissionDecision":"deny"')) meeting?.takeBack()
  return reply
}

/** The refusal, which is in the history by its first line. */
function refused(
  ports: HookPorts,
  { name, call }: Asked,
  why: string,
  rule = 'changes that meet',
): Reply {
  const [reason] = why.split('\n')
  record(ports.bus(), 'refused', { name, tool: call.name, rule, reason })
  return answer('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: why })
}

/**
 * Notes for its peers what a call has come to: a write that failed changed nothing, and who reads a
 * file sees what they have changed there in the same tree. A command that was let through has run.
 * Undefined where there is nothing to note.
 */
export function noteEnd(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
): Promise<void> | undefined {
  const { name, input } = toolOf(payload)
  const failed = textOf(payload, 'hook_event_name') === 'PostToolUseFailure'
  const agent = agentOf(who)
  const isCommand = isSweep(input) && !failed
  if (agent === null || !(isCommand || (name === 'Read' ? !failed : isEdit(toolOf(payload)))))
    return undefined
  if (ports.env.AGENT_CHAT_CLAIMS === 'off' || !sharesWith(ports, payload, who, input))
    return undefined
  const asked = askedOf(ports, payload, who, agent)
  return import('../changes/ended.ts').then(({ noteRan, noteRead, noteSwept }) =>
    unless(NO_PLACE, () => {
      if (name === 'Read') noteRead(asked)
      else if (isEdit(asked.call)) noteRan(asked, failed)
      else noteSwept(asked)
    }),
  )
}

function askedOf(ports: HookPorts, payload: Payload, who: Participant, agent: ProcessRef): Asked {
  return {
    ...{ bus: ports.bus(), agent, name: who.name, sessions: who.sessions, call: toolOf(payload) },
    ...{ id: textOf(payload, 'tool_use_id') ?? '', cwd: textOf(payload, 'cwd'), env: ports.env },
  }
}
