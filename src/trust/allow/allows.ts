import { realpathSync } from 'node:fs'
import type { Home } from '../../bus/home.ts'
import type { ToolCall } from '../../message/call.ts'
import { look } from '../toolGate/look.ts'
import { type Allow, readAllows } from './file.ts'
import { type Around, type Part, passesBy } from './lines.ts'
import { flagsFirst, isCheck, isMark, onlyChecks, operandsFollow } from './operands.ts'
import { scriptOf } from './script.ts'

/**
 * Whether the human allows a call in every turn. `changed`: something else than a check has run in
 * this turn, so that what an allowed command would do now is another thing. `changes`: it has, once
 * this call has run.
 */
export function judgeAllowed(
  call: ToolCall,
  around: Around & { changed: boolean },
  home: Pick<Home, 'allowed'>,
): { passes: boolean; changes: boolean } {
  const allows = readAllows(home) ?? []
  let changes = around.changed
  if (allows.length === 0) return { passes: false, changes }
  const root = look(() => realpathSync(around.root ?? ''))
  const holds = ({ project }: Allow, directory: string | undefined) =>
    directory !== undefined && directory === (project ?? root)
  if (call.name.startsWith('mcp__')) {
    const passes = allows.some(
      ({ text, project }) => text === call.name && [null, root].includes(project),
    )
    return { passes, changes: true }
  }
  const passes = passesBy(call, around, (part) => {
    // git runs no more for `git add` than for `git status`, which only reads.
    if (changes && !isMark(part.words)) return false
    if (!allows.some((one) => holds(one, part.directory) && covers(one, part))) return false
    changes ||= !isChecking(part)
    return true
  })
  return { passes, changes }
}

/** Whether these are the very words, and stand for what they stood for; or operands follow them. */
function covers(allow: Allow, { words, directory, isInside }: Part): boolean {
  const [base, given] = [flagsFirst(allow.words), flagsFirst(words)]
  if (base.some((word, at) => given[at] !== word)) return false
  const script = scriptOf(allow.words, directory)
  if (script === 'missing' || (script?.digest ?? null) !== allow.script) return false
  const operands = given.slice(base.length)
  return operands.length === 0 || operandsFollow(base, script, operands, { isInside })
}

/** Whether a call runs nothing but checks: then it changes nothing of what a command does. */
export function onlyRunsChecks(call: ToolCall, around: Around): boolean {
  return passesBy(call, around, ({ words, directory }) => {
    const script = scriptOf(words, directory)
    return script !== 'missing' && onlyChecks(words, script)
  })
}

function isChecking({ words, directory }: Part): boolean {
  const script = scriptOf(words, directory)
  return script !== 'missing' && isCheck(words, script)
}
