import { rmSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { ensureHome } from '../bus/home.ts'
import { findPrunable, type Kept } from '../bus/upkeep/prune.ts'
import { removeThreads } from '../bus/upkeep/pruneApply.ts'
import { type Rotated, rotateHistory } from '../bus/upkeep/rotate.ts'
import { CodedError } from '../errors.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { requireHuman } from './human.ts'
import type { Ports } from './ports.ts'

/**
 * What was removed, or with `dry_run` would be: messages, their conversations, their bytes; and why
 * how many conversations stay.
 */
export type Pruned = {
  dry_run: boolean
  messages: number
  threads: number
  bytes: number
  kept: Kept
  history: Rotated | null
}

/**
 * Removes conversations that are over and older than an age, and leaves out of the history what
 * told of them; the history until now is kept beside it. For the human alone: throws `GATE_REFUSED`
 * in an agent's own turn.
 */
export async function prune(
  { olderThanMs, dryRun = false }: { olderThanMs: number; dryRun?: boolean | undefined },
  ports: Pick<Ports, 'bus' | 'env'>,
): Promise<Pruned> {
  if (!dryRun) requireHuman('prune', ports)
  const bus = ports.bus()
  const before = bus.clock.now() - olderThanMs
  const release = dryRun ? () => {} : onlyOne(bus)
  try {
    return await removeBefore(bus, before, dryRun)
  } finally {
    release()
  }
}

/** Two at once would each replace the history with what the other does not know. */
function onlyOne(bus: Bus): () => void {
  ensureHome(bus.home)
  const lock = tryPidLock(bus.home.pruneLock, bus.processes)
  if (typeof lock === 'function') return lock
  throw new CodedError('LOCKED', `another prune is running (process ${lock.pid})`, {
    hint: 'try again when it has ended',
  })
}

async function removeBefore(bus: Bus, before: number, dryRun: boolean): Promise<Pruned> {
  const { prunable, kept } = findPrunable(bus, before)
  const ids = dryRun
    ? new Set(prunable.flatMap(({ messages }) => messages.map(({ id }) => id)))
    : removeThreads(bus, prunable)
  const gone = prunable.filter(({ messages }) => messages.every(({ id }) => ids.has(id)))
  const counts = {
    messages: ids.size,
    threads: gone.length,
    bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0),
  }
  // An earlier version kept a copy of all that was said there, for its searches.
  if (!dryRun) rmSync(bus.home.search, { recursive: true, force: true })
  if (dryRun || ids.size === 0) return { dry_run: dryRun, ...counts, kept, history: null }
  const history = await rotateHistory(bus, (event) => !isAbout(event, ids))
  record(bus, 'pruned', { ...counts, older_than: new Date(before).toISOString() })
  return { dry_run: false, ...counts, kept, history: history ?? null }
}

/** What tells of removed messages alone goes with them. */
function isAbout(event: Record<string, unknown>, ids: ReadonlySet<string>): boolean {
  if (typeof event.id === 'string') return ids.has(event.id)
  return (
    Array.isArray(event.ids) && event.ids.length > 0 && event.ids.every((id) => ids.has(String(id)))
  )
}
