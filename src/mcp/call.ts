import { existsSync } from 'node:fs'
import { requireThere } from '../bus/home.ts'
import { homeError } from '../bus/homeError.ts'
import { failureOf } from '../chat/failure.ts'
import { whoMaybe } from '../chat/identity.ts'
import { idInLine } from '../chat/list/find.ts'
import { recordCall } from '../chat/mcpLog.ts'
import type { Ports } from '../chat/ports.ts'
import { CodedError, isCoded } from '../errors.ts'
import { HUMAN } from '../message/name.ts'
import { visible } from '../message/visible.ts'
import { noteServer } from '../session/mcpServers.ts'
import { isErrno, reasonOf } from '../system/errno.ts'
import { keyOf, once } from './once.ts'
import { type Answer, type Call, NotAsked, type Tool } from './tool.ts'

/** A call as the host makes it. `callId` is the host's own; `confirm`: see `Call`. */
export type CallRequest = Pick<Call, 'signal' | 'progress' | 'afterAnswer' | 'confirm'> & {
  given: object
  callId: string | undefined
}

/** A disk or a lock that is busy is tried once more after so many milliseconds. */
const RETRY_MS = 500

/**
 * Calls a tool as the session that this process belongs to, and writes it down. Gives what it gave,
 * or its failure, as data. Throws `NotAsked` alone.
 */
export async function callTool(tool: Tool, request: CallRequest, given: Ports): Promise<Answer> {
  const began = performance.now()
  const notes: string[] = []
  const notice = (text: string) => notes.push(text)
  // As the host names a call to a command that it runs.
  const env = { ...given.env, CLAUDE_CODE_TOOL_USE_ID: request.callId }
  const ports = { ...given, env, notice, bus: () => ({ ...given.bus(), notice }) }
  let name: string | undefined
  let answer: Answer
  try {
    name = callerOf(ports)
    const caller = name
    answer = await again(() => run(tool, request, caller, ports), request.signal)
  } catch (error) {
    if (error instanceof NotAsked) throw error
    answer = failed(error, ports)
  }
  const told = record(tool, request, answer, name, performance.now() - began, ports)
  const all = [...notes, ...told]
  return shown(all.length === 0 ? answer : { ...answer, notes: all }) as Answer
}

/** The session that this process belongs to. Throws `USAGE` without a home, `IDENTITY_UNKNOWN`. */
export function callerOf(ports: Pick<Ports, 'bus' | 'env'>): string {
  const bus = ports.bus()
  requireThere(bus.home, ports.env)
  const name = whoMaybe(ports)?.name
  if (name !== undefined && name !== HUMAN) {
    if (!existsSync(bus.home.mcpServer(bus.processes.self().pid))) noteServer(bus)
    return name
  }
  throw new CodedError('IDENTITY_UNKNOWN', 'this server belongs to no session of agent-chat', {
    hint: 'your user starts one with: agent-chat start <name>; or in a running agent: agent-chat join <name>',
  })
}

function run(tool: Tool, request: CallRequest, name: string, ports: Ports): Promise<Answer> {
  const { given, callId, ...rest } = request
  const work = (key: string | undefined, earlier: Call['earlier']) =>
    tool.run(given, { ...rest, name, key, earlier, ports })
  if (callId === undefined || tool.reads) return work(undefined, undefined)
  const key = keyOf(name, tool.name, callId)
  return once(ports.bus(), name, key, request.signal, (earlier) => work(key, earlier))
}

async function again(work: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!isBusy(error) || signal.aborted) throw error
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    return work()
  }
}

function isBusy(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const isErrnoOfIt = (one: unknown) => isErrno(one, 'EAGAIN', 'EBUSY', 'EMFILE', 'ENFILE')
  return isCoded(error, 'LOCKED') || isErrnoOfIt(error) || isErrnoOfIt(cause)
}

function failed(error: unknown, ports: Ports): Answer {
  const { code, message, hint, lines } = failureOf(homeError(ports.bus().home, error))
  const text = isBusy(error) ? `Service temporarily unavailable: ${message}` : message
  const candidates = lines.length === 0 ? {} : { candidates: lines }
  return { success: false, error: text, code, hint, ...candidates }
}

/** Writes a call down before it is answered. Gives what is to be told where that fails. */
function record(
  tool: Tool,
  { given }: CallRequest,
  answer: Answer,
  name: string | undefined,
  took: number,
  ports: Ports,
): string[] {
  const bus = ports.bus()
  const { success, id, code, thread } = answer
  if (!existsSync(bus.home.root)) return []
  try {
    recordCall(bus, {
      session: name ?? null,
      conversation: typeof thread === 'string' ? thread : null,
      tool: tool.name,
      parameters: given,
      result: { success, ...(success ? { id } : { code }), ...listedIn(answer) },
      latency_ms: Math.round(took),
    })
    return []
  } catch (error) {
    return [`the call could not be written down: ${reasonOf(error)}`]
  }
}

/** A longer list is in nobody's view as a whole. */
const MOST_LISTED = 100

/** The ids of the tasks that an answer lists: a number in the next call stands for one of them. */
function listedIn({ tasks, candidates }: Answer): { listed?: string[] } {
  const rows = Array.isArray(tasks) ? tasks.map((row) => row.id) : undefined
  const lines = Array.isArray(candidates) ? candidates.map(idInLine) : undefined
  const listed = (rows ?? lines)?.filter((id) => typeof id === 'string')
  return listed && listed.length <= MOST_LISTED ? { listed } : {}
}

/** Everything that nobody would see can be seen: what others wrote is in it. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shown)
  const kept = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(kept.map(([key, one]) => [visible(key), shown(one)]))
}
