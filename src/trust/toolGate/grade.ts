import { editedPaths, type ToolCall } from '../../message/call.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Grade } from '../../session/turn.ts'
import { digestOf } from '../../system/digest.ts'
import { wordList } from '../../system/wordList.ts'
import { type Around, type Part, passesBy } from '../allow/lines.ts'
import { bareCheck, operandsFollow } from '../allow/operands.ts'
import { scriptOf } from '../allow/script.ts'
import { serverIn } from './mcpName.ts'
import { patchedPaths } from './patch.ts'
import { isInProject } from './project.ts'
import { EDITS } from './table.ts'

/**
 * Tools whose calls are commands. One that is monitored wakes the agent again and again: a yes to
 * it is for itself alone.
 */
const COMMANDS = wordList('Bash PowerShell')

/**
 * What a yes to this call lets pass for the rest of its turn: the like of what was shown. Undefined
 * where the yes is for this call alone.
 */
export function gradeOf(call: ToolCall, around: Around): Grade | undefined {
  if (COMMANDS.has(call.name)) return commandGrade(call, around)
  if (EDITS.has(call.name)) return areInside(editedPaths(call), around) ? 'edits' : undefined
  const patched = patchedPaths(call)
  if (patched) return areInside(patched, around) ? 'edits' : undefined
  const server = serverIn(call.name)
  return server === undefined ? undefined : `mcp:${server}`
}

/** Whether a yes that was given in the turn covers this call. */
export function isCovered(call: ToolCall, granted: readonly Grade[], around: Around): boolean {
  if (granted.length === 0) return false
  if (granted.includes('all')) return true
  // Of a version that asked for both with one yes: a command may edit whatever it likes.
  if (granted.includes('commands') && (COMMANDS.has(call.name) || EDITS.has(call.name))) return true
  const grade = gradeOf(call, around)
  if (grade !== undefined && granted.includes(grade)) return true
  return (
    granted.some((one) => one.startsWith('command:')) &&
    passesBy(call, around, (part) => granted.includes(partGrade(part)))
  )
}

const THIS = 'this very command'

/** What a yes means, as a sentence for the dialog. */
export function meaningOf(grade: Grade | undefined): string {
  if (grade === undefined) return 'Yes allows this one call'
  if (grade === 'edits')
    return `Yes allows ${likeOf(grade)} for the rest of this turn, but no commands`
  if (grade.startsWith('command:'))
    return `Yes allows ${likeOf(grade)} again in this turn, and nothing else`
  return `Yes allows ${likeOf(grade)} for the rest of this turn`
}

/** What a grade is about, in words for the human. */
export function likeOf(grade: Grade): string {
  if (grade === 'edits') return 'edits inside the project'
  return grade.startsWith('mcp:')
    ? `the tools of ${grade.slice('mcp:'.length)}`
    : grade.replace(/^command:\w+ /, '')
}

/**
 * A yes to a line in which one part alone does more than read is for that part, whatever reads
 * beside it; any other is for the very line.
 */
function commandGrade(call: ToolCall, around: Around): Grade {
  const parts: Part[] = []
  const known = passesBy(call, around, (part) => parts.push(part) > 0)
  const [part, ...more] = parts
  if (known && part && more.length === 0) return partGrade(part)
  const { command, run_in_background: behind } = call.input
  return `command:${digest([call.name, command, behind ?? false, around.cwd ?? ''])} ${THIS}`
}

/**
 * The program, its verb and its options; and its operands, unless any others may stand there. A
 * check is the same one with other files, and with options that only choose.
 */
function partGrade({ words, directory, isInside }: Part): Grade {
  const script = scriptOf(words, directory)
  const bound = script === undefined || script === 'missing' ? '' : script.digest
  const base = beginningOf(words, directory, isInside)
  const others = /^git commit/.test(words.join(' ')) ? 'another text' : 'files of the project'
  const what = base === words ? THIS : `“${visibleLine(base.join(' '))}” with ${others}`
  return `command:${digest([base !== words, ...base, directory, bound])} ${what}`
}

/** How a command begins whose rest may be another one; the words themselves where none may. */
function beginningOf(words: string[], directory: string, isInside: Part['isInside']): string[] {
  const bare = bareCheck(words)
  if (bare && operandsFollow(bare.check, undefined, bare.operands, { isInside })) return bare.check
  const ends = words.findIndex((_, at) => {
    const base = scriptOf(words.slice(0, at + 1), directory)
    const rest = words.slice(at + 1)
    return (
      base !== 'missing' &&
      operandsFollow(words.slice(0, at + 1), base, rest, { isInside, all: true })
    )
  })
  // Its last word is the value of `-m`, whatever it says.
  const isCommit = words.length === 4 && /^git commit -m /.test(words.join(' '))
  return isCommit ? words.slice(0, 3) : ends < 0 ? words : words.slice(0, ends + 1)
}

function digest(what: unknown[]): string {
  return digestOf(Buffer.from(JSON.stringify(what))).slice(0, 32)
}

function areInside(paths: unknown[], { cwd, root, home, env }: Around): boolean {
  const place = { cwd, root, home, env }
  return (
    paths.length > 0 && paths.every((path) => typeof path === 'string' && isInProject(path, place))
  )
}
