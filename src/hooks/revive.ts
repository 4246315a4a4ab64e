import { launchWatcher } from '../doorbell/rest.ts'
import { keepWatcher } from '../session/keepWatcher.ts'
import type { HookPorts } from './ports.ts'

/**
 * Starts the home's watcher again where it was killed and a session needs it: whoever runs next
 * does.
 */
export function reviveWatcher({ bus, env, self }: HookPorts): void {
  keepWatcher(bus(), () => launchWatcher(self, env, bus().home))
}
