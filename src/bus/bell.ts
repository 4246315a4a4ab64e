import { closeSync, openSync } from 'node:fs'
import { isErrno } from '../system/errno.ts'
import { makeDirectory } from '../system/files.ts'
import type { Home } from './home.ts'

/** Rewrites the session's ring file, empty as it is: what doorbells listen to. Only a hint; the message is in the inbox. */
export function ring(home: Pick<Home, 'bell' | 'ring'>, name: string): void {
  try {
    closeSync(openSync(home.ring(name), 'w', 0o600))
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    makeDirectory(home.bell(name))
    closeSync(openSync(home.ring(name), 'w', 0o600))
  }
}
