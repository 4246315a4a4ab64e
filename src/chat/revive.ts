import { isCoded } from '../errors.ts'
import { lacksWatcher } from '../session/watcher.ts'
import { reasonOf } from '../system/errno.ts'
import type { Ports } from './ports.ts'

/**
 * Starts the home's watcher where one is needed and none runs: whoever runs next does. Else it
 * costs a look at a file and a process. A command that has done its work has not failed because
 * that does not work.
 */
export async function reviveWatcher(
  ports: Pick<Ports, 'bus' | 'env' | 'notice' | 'self'>,
): Promise<void> {
  try {
    if (!lacksWatcher(ports.bus())) return
    const { startAgain } = await import('../doorbell/startWatcher.ts')
    startAgain(ports)
  } catch (error) {
    if (isCoded(error, 'REGISTRY_BROKEN')) return
    ports.notice(`the watcher could not be started (${reasonOf(error)})`)
  }
}
