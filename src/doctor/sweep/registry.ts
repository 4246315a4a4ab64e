import { readSessions, updateSessions } from '../../bus/names/registry.ts'
import { isCoded } from '../../errors.ts'
import { lookAt } from '../../system/files.ts'
import { note, type Sweep } from './finding.ts'

/** Beyond the 2 s at which a holder touches its lock, and the 4 s after which it is passed over. */
const LOCK_STALE_MS = 10_000

/** Frees a registry's lock that nobody holds, and keeps a registry that cannot be read aside. */
export async function sweepRegistry(sweep: Sweep): Promise<void> {
  const { home, clock } = sweep.bus
  const lock = `${home.sessions}.lock`
  const touched = lookAt(lock)?.mtimeMs
  // To take the lock over frees it. A clock that was set back leaves one touched in time to come.
  if (touched !== undefined && Math.abs(clock.now() - touched) > LOCK_STALE_MS)
    await note(sweep, 'stale-lock', { paths: [lock] }, () => change(sweep))
  if (isBroken(sweep))
    await note(sweep, 'broken-registry', { paths: [home.sessions] }, () => change(sweep))
}

async function change(sweep: Sweep): Promise<void> {
  await updateSessions(sweep.bus, () => undefined)
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
