import { isCoded } from '../../errors.ts'
import { readSessions, updateSessions } from '../registry.ts'
import { statOf } from './entries.ts'
import { note, type Sweep } from './finding.ts'

/** A holder at work touches its lock every 2 s, and one that does not is passed over after 4 s; this is well beyond both. */
const LOCK_STALE_MS = 10_000

/** Frees a registry's lock that nobody holds, and keeps a registry that cannot be read aside. */
export async function sweepRegistry(sweep: Sweep): Promise<void> {
  const { home, clock } = sweep.bus
  const lock = `${home.sessions}.lock`
  const touched = statOf(lock)?.mtimeMs
  // Taking the lock over as any other command would is what frees it. Where the clock was set back, it was touched in a time to come.
  if (touched !== undefined && Math.abs(clock.now() - touched) > LOCK_STALE_MS)
    await note(sweep, 'stale-lock', { paths: [lock] }, () => change(sweep))
  if (isBroken(sweep)) await note(sweep, 'broken-registry', { paths: [home.sessions] }, () => change(sweep))
}

async function change(sweep: Sweep): Promise<void> {
  await updateSessions(
    sweep.bus,
    () => undefined,
    () => {},
  )
}

function isBroken(sweep: Sweep): boolean {
  try {
    readSessions(sweep.bus.home)
    return false
  } catch (error) {
    if (isCoded(error, 'REGISTRY_BROKEN')) return true
    throw error
  }
}
