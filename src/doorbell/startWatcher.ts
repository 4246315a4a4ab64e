import type { Bus } from '../bus/bus.ts'
import { keepWatcher } from '../session/keepWatcher.ts'
import { launchWatcher } from './rest.ts'

export type WatcherPorts = {
  self: { node: string; script: string }
  env: NodeJS.ProcessEnv
  bus: () => Bus
}

/** Starts the home's watcher, detached; gives its pid. */
export function spawnWatcher({ self, env, bus }: WatcherPorts): number | undefined {
  return launchWatcher(self, env, bus().home)
}

/** Starts the home's watcher again where it was killed, unless another process does so now. */
export function startAgain(ports: WatcherPorts): void {
  keepWatcher(ports.bus(), () => spawnWatcher(ports))
}
