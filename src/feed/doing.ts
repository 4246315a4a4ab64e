import { isAbsolute, relative } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { doesText, editedPaths, type ToolCall } from '../message/call.ts'
import { visibleLine } from '../message/visible.ts'
import type { SessionRow } from '../session/sessionRows.ts'
import { isAtWork, turnBegan } from '../session/state.ts'
import { believedState } from '../session/stateFile.ts'
import { readWorkerState } from '../session/workerState.ts'
import { lastCall } from '../trust/turn/record.ts'

/** What a session does now, and since when (ISO 8601): `edits: src/a.ts`. */
type Doing = { text: string; since: string }

/**
 * The tool that a session in a turn used last, and its file, as its agent's own record tells; what
 * its dialog asks; the message that a worker answers. Undefined where nothing tells.
 */
export function doingOf(
  row: Pick<SessionRow, 'name' | 'cwd' | 'worker'>,
  bus: Bus,
): Doing | undefined {
  const { name, cwd, worker } = row
  if (worker) return worker.runs ? workOf(name, worker.since, bus) : undefined
  const state = believedState(bus.home, name, bus.processes)
  if (!state || !isAtWork(state.activity)) return undefined
  if (state.wants !== undefined) return { text: visibleLine(state.wants), since: state.since }
  const [path] = state.transcripts ?? []
  const last = path === undefined ? undefined : lastCall(path, turnBegan(state))
  return last && { text: visibleLine(doesText(seenFrom(cwd, last.call))), since: last.at }
}

function workOf(name: string, since: string, { home }: Bus): Doing | undefined {
  const id = readWorkerState(home, name)?.message
  const message = id === undefined ? undefined : messageAt(home.message(id), id, home)
  return message && { text: `answers: ${taskTitle({ message })}`, since }
}

/** A call whose files are named as one sees them in the session's directory. */
function seenFrom(cwd: string, call: ToolCall): ToolCall {
  const paths = editedPaths(call)
  const [path] = paths
  if (typeof path !== 'string' || paths.length > 1 || !isAbsolute(path) || cwd === '') return call
  const short = relative(cwd, path)
  return short.startsWith('..') ? call : { ...call, input: { ...call.input, file_path: short } }
}
