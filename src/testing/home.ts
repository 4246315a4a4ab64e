import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { ensureHome, ensureInbox, type Home, homeAt } from '../bus/home.ts'
import type { Clock } from '../system/clock.ts'
import { systemClock } from '../system/clock.ts'
import { unless } from '../system/errno.ts'
import { systemProcesses } from '../system/processes.ts'
import { until } from './until.ts'

/**
 * A directory that the running test has for itself; it is removed when the test is over. Tests that
 * run at once make their own: which of them runs, nothing here can tell.
 */
export function tempDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'agent-chat-test-'))
  onTestFinished(() => removeTree(path))
  return path
}

/**
 * A home of the running test's own, with these sessions registered by hand: no pane, no process.
 */
export function tempHome(...names: string[]): Home {
  return homeIn(tempDirectory(), ...names)
}

/** As `tempHome`, in a directory that the caller removes. */
export function homeIn(directory: string, ...names: string[]): Home {
  const home = homeAt(join(directory, 'home'))
  ensureHome(home)
  register(home, ...names)
  return home
}

/**
 * A bus in a home of the running test's own, with the real processes; the clock is the machine's
 * unless one is given.
 */
export function tempBus(names: string[] = [], clock: Clock = systemClock()): Bus {
  return { home: tempHome(...names), clock, processes: systemProcesses() }
}

/** Registers exactly these sessions. */
export function register(home: Home, ...names: string[]): void {
  const sessions = names.map((name) => [
    name,
    { name, pane: null, joined_at: '2026-11-21T03:39:12.123Z' },
  ])
  writeFileSync(home.sessions, JSON.stringify(Object.fromEntries(sessions)))
  for (const name of names) ensureInbox(home, name)
}

/**
 * The files of a directory in their order; none where it is not there. Hidden ones are named too.
 */
export function filesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

/** The events of the history in their order. A line that is none is passed over. */
export function eventsOf(home: Pick<Home, 'history'>, event?: string): Record<string, unknown>[] {
  const lines = filesIn(join(home.history, '..')).includes('history.log')
    ? readFileSync(home.history, 'utf8').split('\n')
    : []
  return lines.flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      if (typeof value !== 'object' || value === null) return []
      const fields: Record<string, unknown> = { ...value }
      return event === undefined || fields.event === event ? [fields] : []
    } catch {
      return []
    }
  })
}

/**
 * Removes a tree, again where a watcher that a command has started writes into it meanwhile, or where
 * a test has closed a folder of it.
 */
export async function removeTree(path: string): Promise<void> {
  const remove = () => {
    rmSync(path, { recursive: true, force: true })
    return true
  }
  const opened = () =>
    unless(['EACCES'], remove) ?? (spawnSync('chmod', ['-R', 'u+rwx', path]) && remove())
  await until(`${path} is removed`, () => unless(['ENOTEMPTY'], opened))
}
