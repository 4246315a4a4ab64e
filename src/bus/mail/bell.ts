import { statSync } from 'node:fs'
import { join } from 'node:path'
import { making } from '../../system/errno.ts'
import { makeDirectory, removeFile, rewriteEmpty } from '../../system/files.ts'
import { readPidFile } from '../../system/pidFile.ts'
import type { Bus } from '../bus.ts'
import type { Home } from '../home.ts'

/**
 * Claude Code tells of a file once it has been quiet for 600 ms, and not before. Of a file that it
 * knew and that is gone it tells after 120 ms.
 */
const QUIET_MS = 650

/**
 * Rewrites the session's ring file, which stays empty: doorbells listen to it. It is only a hint;
 * the message is in the inbox. In a stream of messages a second file is rewritten as often as
 * Claude Code can tell of it, so that no bell is put off until the stream ends. The
 * home's watcher is woken, if one runs.
 */
export function ring({ home, processes }: Pick<Bus, 'home' | 'processes'>, name: string): void {
  rewriteRing(home, name)
  wakeWatcher({ home, processes })
}

/**
 * Wakes the home's watcher where it rests; a signal that nobody has to take, since one that works
 * looks by itself.
 */
export function wakeWatcher({ home, processes }: Pick<Bus, 'home' | 'processes'>): void {
  const watcher = readPidFile(home.watcherPid)
  if (watcher === undefined || processes.signal(watcher, 'SIGURG') || !processes.hidden) return
  // No signal gets out of a sandbox; a watcher at rest misses this file within 5 s.
  removeFile(home.watcherRest)
}

/** Rewrites the session's ring file alone. */
export function rewriteRing(home: Pick<Home, 'bell' | 'ring' | 'ringAgain'>, name: string): void {
  const before = statSync(home.ring(name), { throwIfNoEntry: false })?.mtimeMs
  const now = rewrite(home.bell(name), home.ring(name))
  if (before === undefined || now - before > QUIET_MS) return
  const again = statSync(home.ringAgain(name), { throwIfNoEntry: false })?.mtimeMs
  if (again === undefined || now - again > QUIET_MS + 100 || again > now)
    rewrite(home.bell(name), home.ringAgain(name))
}

/**
 * As `ring`, half a second sooner: removes the second file, which the room inside Claude Code makes
 * before each turn. Where that is too new for the client to know it, or not there, it is written.
 */
export function ringSoon(bus: Pick<Bus, 'home' | 'processes' | 'clock'>, name: string): void {
  const { home, clock } = bus
  const again = home.ringAgain(name)
  const made = statSync(again, { throwIfNoEntry: false })?.mtimeMs
  if (made !== undefined && clock.now() - made > 2 * QUIET_MS) removeFile(again)
  else rewrite(home.bell(name), again)
  wakeWatcher(bus)
}

/** Tells the Claude Code with this pid that a command of its own has joined or left a session. */
export function tellAgent(home: Pick<Home, 'joinsBell'>, pid: number): void {
  rewrite(home.joinsBell, join(home.joinsBell, String(pid)))
}

/** Opens a file to write nothing, and gives the time at which that was, in milliseconds. */
function rewrite(directory: string, path: string): number {
  return making(
    () => makeDirectory(directory),
    () => rewriteEmpty(path),
  )
}
