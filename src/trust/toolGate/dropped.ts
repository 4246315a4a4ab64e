import { lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { editedPaths, type ToolCall } from '../../message/call.ts'
import { look } from './look.ts'
import { EDITS } from './table.ts'

/** Words of plain signs; among them nothing that a shell expands, and no `&` but `&&`. */
const PLAIN_COMMAND = /^(?:[\w ./:=,@%+'">|;-]|&&)+$/

/** A name that begins with a dot, or one of git's own folders: `.`, `..` and `./` are none. */
const DOT_NAME = /(^|[\s/'"=:>])\.(?!\.?([\s/'";|&]|$))/

/**
 * Whether Claude Code would run a call without the question that a hook puts. In
 * `bypassPermissions` it drops the question for calls that it would have asked about by itself in
 * any other mode (measured with 2.1.329: files and folders that begin with a dot, paths through
 * links, a command that ends in `&`). What is not plainly of another kind counts as such.
 */
export function dropsQuestion(
  { name, input }: ToolCall,
  { mode, cwd }: { mode: string | undefined; cwd: string | undefined },
): boolean {
  if (mode !== 'bypassPermissions') return false
  if (EDITS.has(name)) {
    const paths = editedPaths({ name, input })
    return (
      !paths.length || paths.some((path) => typeof path !== 'string' || !isPlainPath(path, cwd))
    )
  }
  if (name !== 'Bash') return false
  const { command } = input
  if (typeof command !== 'string' || !PLAIN_COMMAND.test(command) || DOT_NAME.test(command))
    return true
  const words = command.split(/[\s'";|&=:>]+/).filter((word) => word !== '')
  return words.some((word) => !hasNoLink(resolve(cwd ?? '/', word)))
}

function isPlainPath(path: string, cwd: string | undefined): boolean {
  return !DOT_NAME.test(path) && !/[^\x20-\x7e]/.test(path) && hasNoLink(resolve(cwd ?? '/', path))
}

/** Whether no part of a path is a link, or one that cannot be looked at. */
function hasNoLink(path: string): boolean {
  const is = look(() => lstatSync(path, { throwIfNoEntry: false }) ?? null)
  if (is === undefined || is?.isSymbolicLink()) return false
  return dirname(path) === path || hasNoLink(dirname(path))
}
