import type { Grade } from '../session/turn.ts'
import { wordList } from '../system/wordList.ts'
import { EDITS, editedPaths, type ToolCall } from './tool.ts'

/**
 * Tools whose calls are commands. One that is monitored wakes the agent again and again: a yes to
 * it is for itself alone.
 */
const COMMANDS = wordList('Bash PowerShell')

/**
 * A name that can be split into a server and its tool in one way only: `a__b__c` could be a tool of
 * `a`, or of `a__b`.
 */
const MCP_NAME = /^mcp__([^_]+(?:_[^_]+)*)__[^_]+(?:_[^_]+)*$/

/**
 * What a yes to this call lets pass for the rest of its turn: the like of what was shown. Undefined
 * where the yes is for this call alone. `isInside`: whether a path is plainly inside the project.
 */
export function gradeOf(call: ToolCall, isInside: (path: string) => boolean): Grade | undefined {
  if (COMMANDS.has(call.name)) return 'commands'
  if (EDITS.has(call.name)) return isEditInside(call, isInside) ? 'edits' : undefined
  const server = MCP_NAME.exec(call.name)?.[1]
  return server === undefined ? undefined : `mcp:${server}`
}

/**
 * Whether a yes that was given in the turn covers this call. A command may edit whatever it likes.
 */
export function isCovered(
  call: ToolCall,
  granted: readonly Grade[],
  isInside: (path: string) => boolean,
): boolean {
  if (granted.length === 0) return false
  if (granted.includes('commands') && (COMMANDS.has(call.name) || EDITS.has(call.name))) return true
  const grade = gradeOf(call, isInside)
  return grade !== undefined && granted.includes(grade)
}

/** What a yes means, as a sentence for the dialog. */
export function meaningOf(grade: Grade | undefined): string {
  if (grade === undefined) return 'Yes allows this one call'
  if (grade === 'commands') return 'Yes allows commands and edits for the rest of this turn'
  if (grade === 'edits')
    return 'Yes allows edits inside the project for the rest of this turn, but no commands'
  return `Yes allows the tools of ${grade.slice('mcp:'.length)} for the rest of this turn`
}

function isEditInside(call: ToolCall, isInside: (path: string) => boolean): boolean {
  const paths = editedPaths(call)
  return paths.length > 0 && paths.every((path) => typeof path === 'string' && isInside(path))
}
