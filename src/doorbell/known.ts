import { readFileSync } from 'node:fs'
import type { Home } from '../bus/home.ts'
import { parseSessions, type Session } from '../bus/names/registry.ts'
import { isErrno } from '../system/errno.ts'
import { replaceFileSoon } from '../system/files.ts'

/** The sessions that the home's watcher knew when it last came to rest. */
export function knownSessions(home: Pick<Home, 'watcherRest'>): Session[] {
  try {
    return Object.values(parseSessions(readFileSync(home.watcherRest, 'utf8')) ?? {})
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

/**
 * Notes them, also for a time at which the registry cannot be read. When this was, the file itself
 * tells.
 */
export function noteKnown(home: Pick<Home, 'watcherRest'>, sessions: Session[]): void {
  const byName = Object.fromEntries(sessions.map((session) => [session.name, session]))
  replaceFileSoon(home.watcherRest, `${JSON.stringify(byName)}\n`)
}
