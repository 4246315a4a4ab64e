import { type RunPorts, runSchedules } from '../clock/run.ts'
import { listDefinitions, requireDefinition } from '../definition/list.ts'
import type { ControlPorts, SupervisePorts, UpPorts } from './ports.ts'

/** Gives the tasks of the schedules that are due. */
export function scheduled(ports: RunPorts): SupervisePorts['runDue'] {
  return async () => {
    const { nextDue } = await runSchedules(ports)
    return nextDue === undefined ? undefined : nextDue - ports.bus().clock.now()
  }
}

/** These ports, with the definitions of the home and of repositories. */
export function usable(ports: ControlPorts): UpPorts {
  return {
    ...ports,
    require: (name) => void requireDefinition(name, ports),
    definitions: (cwd) =>
      listDefinitions(ports, cwd).flatMap(({ status, definition }) =>
        definition && (status === 'valid' || status === 'warnings') ? [definition] : [],
      ),
  }
}
