import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../system/errno.ts'
import { makeDirectory } from '../system/files.ts'
import type { Home } from './home.ts'

/** Rewrites the session's ring file, empty as it is: what doorbells listen to. Only a hint; the message is in the inbox. */
export function ring(home: Pick<Home, 'bell' | 'ring'>, name: string): void {
  rewrite(home.bell(name), home.ring(name))
}

/** Tells the Claude Code with this pid that one of its commands has joined or left a session for it. */
export function tellAgent(home: Pick<Home, 'joinsBell'>, pid: number): void {
  rewrite(home.joinsBell, join(home.joinsBell, String(pid)))
}

function rewrite(directory: string, path: string): void {
  try {
    closeSync(openSync(path, 'w', 0o600))
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    makeDirectory(directory)
    closeSync(openSync(path, 'w', 0o600))
  }
}
