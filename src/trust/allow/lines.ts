import { realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ToolCall } from '../../message/call.ts'
import { effectOf } from '../shell/reading.ts'
import type { Allows } from '../shell/scope.ts'
import { look } from '../toolGate/look.ts'
import { placeAt } from '../toolGate/place.ts'
import { isInProject } from '../toolGate/project.ts'
import { runsOn, saysSomething } from '../toolGate/tool.ts'
import { whyNever } from './never.ts'

/** Where a line is to run; see `Here`. `elsewhere`: its turn is not the session's present one. */
export type Around = {
  cwd: string | undefined
  root: string | undefined
  home: string
  env: NodeJS.ProcessEnv
  elsewhere?: boolean
}

/** What a yes is asked about: words, in the one directory (with no link in it) where they run. */
export type Part = { words: string[]; directory: string; isInside: (path: string) => boolean }

/**
 * Whether each part of a call's line by itself reads, is ours, or passes by `isYes`. Parts that run
 * where nobody can tell, or by a program that the project brings, are not asked about.
 */
export function passesBy(call: ToolCall, around: Around, isYes: (part: Part) => boolean): boolean {
  const { command } = call.input
  if (call.name !== 'Bash' || typeof command !== 'string' || runsOn(call)) return false
  const { cwd, root, env } = around
  if (cwd === undefined) return false
  const allows: Allows = (words, directories) => {
    const all = directories.map((one) => look(() => realpathSync(resolve(cwd, one))))
    const [directory] = all
    if (directory === undefined || all.some((one) => one !== directory)) return false
    if (whyNever(words) !== undefined || isOfProject(words[0] ?? '', directory, around))
      return false
    const isInside = (path: string) => isInProject(path, { ...around, cwd: directory })
    return isYes({ words, directory, isInside })
  }
  const { effect } = effectOf(command, placeAt(cwd, root, env), allows)
  return effect === 'reading' || (effect === 'own' && !(around.elsewhere && saysSomething(call)))
}

/** Whether the project has put a program of that name into a folder of PATH. */
function isOfProject(program: string, directory: string, { root, env }: Around): boolean {
  if (program.includes('/')) return false
  const tops = [directory, look(() => realpathSync(root ?? '/'))]
  for (const folder of (env.PATH ?? '').split(':')) {
    const path = join(resolve(directory, folder), program)
    const is = look(() => statSync(path))
    if (!is?.isFile()) continue
    const names = [path, look(() => realpathSync(dirname(path))), look(() => realpathSync(path))]
    if (names.some((one) => !one || tops.some((top) => one.startsWith(`${top}/`)))) return true
    if (is.mode & 0o111) return false
  }
  return false
}
