import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../system/errno.ts'
import { makeDirectory, rewriteEmpty } from '../system/files.ts'
import type { Home } from './home.ts'

/** Claude Code tells of a file when it has been quiet for 600 ms: one that is rewritten more often than this is not told of at all. */
const QUIET_MS = 650

/**
 * Rewrites the session's ring file, empty as it is: what doorbells listen to. Only a hint; the message is in the inbox. In a stream of
 * messages a second file is rewritten as often as it can be told of, so that a bell is not put off until the stream ends.
 */
export function ring(home: Pick<Home, 'bell' | 'ring' | 'ringAgain'>, name: string): void {
  const before = statSync(home.ring(name), { throwIfNoEntry: false })?.mtimeMs
  const now = rewrite(home.bell(name), home.ring(name))
  if (before === undefined || now - before > QUIET_MS) return
  const again = statSync(home.ringAgain(name), { throwIfNoEntry: false })?.mtimeMs
  if (again === undefined || now - again > QUIET_MS + 100 || again > now) rewrite(home.bell(name), home.ringAgain(name))
}

/** Tells the Claude Code with this pid that one of its commands has joined or left a session for it. */
export function tellAgent(home: Pick<Home, 'joinsBell'>, pid: number): void {
  rewrite(home.joinsBell, join(home.joinsBell, String(pid)))
}

/** Opens a file to write nothing, and gives the time at which that was, in milliseconds. */
function rewrite(directory: string, path: string): number {
  try {
    return rewriteEmpty(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    makeDirectory(directory)
    return rewriteEmpty(path)
  }
}
