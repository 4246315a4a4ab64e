import { renameSync, statSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { nameNow } from '../bus/names/names.ts'
import { parseName } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { digestOf } from '../system/digest.ts'
import { making } from '../system/errno.ts'
import { appendLine, makeDirectory } from '../system/files.ts'
import { linesFromEnd } from '../system/lines.ts'
import { withPidLock } from '../system/pidlock.ts'
import type { Ports } from './ports.ts'

/**
 * A call of a tool of `agent-chat mcp`. `session`: who called, null where nothing told;
 * `conversation`: the thread that it was about. Long texts are cut: see `shortened()`.
 */
export type ToolCallRecord = {
  timestamp: string
  session: string | null
  conversation: string | null
  tool: string
  parameters: unknown
  /** `listed`: the short ids of the tasks that the answer lists, in its order. */
  result: { success: boolean; id?: unknown; code?: unknown; listed?: string[] }
  latency_ms: number
}

/** A log begins anew at this size; the one before is `mcp.jsonl.1`. */
const MAX_BYTES = 5 * 1024 * 1024
const LOCK_MS = 500

/** Appends a call to the log of calls. */
export function recordCall(
  { home, clock, processes }: Bus,
  call: Omit<ToolCallRecord, 'timestamp'>,
): void {
  const path = home.mcpLog
  const isFull = () => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES
  if (isFull())
    withPidLock(home.mcpLogLock, processes, LOCK_MS, () => {
      if (isFull()) renameSync(path, `${path}.1`)
    })
  const line = JSON.stringify({
    timestamp: isoTime(clock.now()),
    ...call,
    parameters: bounded(shortened(call.parameters)),
  })
  making(
    () => makeDirectory(home.logs),
    () => appendLine(path, line),
  )
}

/** `count` calls at most; `with`: only those of this session. */
export type CallsRequest = { count: number; with?: string | undefined }

/** The last calls of tools, oldest first. */
export function lastCalls(request: CallsRequest, { bus }: Pick<Ports, 'bus'>): ToolCallRecord[] {
  const { home } = bus()
  const session = request.with && nameNow(home, parseName(request.with))
  const found: ToolCallRecord[] = []
  for (const path of [home.mcpLog, `${home.mcpLog}.1`]) {
    for (const line of linesFromEnd(path)) {
      if (found.length >= request.count) return found.reverse()
      const call = parseCall(line)
      if (call && (session === undefined || call.session === session)) found.push(call)
    }
  }
  return found.reverse()
}

/** The calls of `session` since then (ms since 1970), newest first. */
export function* callsSince({ home }: Bus, session: string, since: number) {
  for (const path of [home.mcpLog, `${home.mcpLog}.1`]) {
    for (const line of linesFromEnd(path)) {
      const call = parseCall(line)
      if (call && Date.parse(call.timestamp) < since) return
      if (call?.session === session) yield call
    }
  }
}

/** A line that a crash cut is passed over. */
function parseCall(line: string): ToolCallRecord | undefined {
  try {
    const value = JSON.parse(line)
    return typeof value?.tool === 'string' && typeof value.timestamp === 'string'
      ? value
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** So many characters of a text, fields of an object and levels of them are kept. */
const KEPT = 200
const MOST_FIELDS = 30
const DEEPEST = 4

/** So many characters of a call's parameters are kept, however many texts they are. */
const MOST_PARAMETERS = 8 * 1024

/** Of parameters that are long as a whole, what is kept of a long text. */
function bounded(parameters: unknown): unknown {
  const json = JSON.stringify(parameters)
  return json.length <= MOST_PARAMETERS ? parameters : shortened(json)
}

/** A value without what is long in it: of a text its beginning, its length and its SHA-256. */
function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.length <= KEPT) return value
    const sha256 = digestOf(Buffer.from(value))
    return { text: value.slice(0, KEPT), length: value.length, sha256 }
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '…'
  const inner = Object.entries(value).slice(0, MOST_FIELDS)
  if (Array.isArray(value)) return inner.map(([, one]) => shortened(one, depth + 1))
  return Object.fromEntries(
    inner.map(([key, one]) => [key.slice(0, KEPT), shortened(one, depth + 1)]),
  )
}
