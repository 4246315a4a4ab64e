import { type RunPorts, runSchedules } from '../clock/run.ts'
import { listDefinitions, requireDefinition } from '../definition/list.ts'
import type { ControlPorts, UpPorts } from './control.ts'
import type { SupervisePorts } from './supervise.ts'

/** What a supervisor has to know of an agent's definition. */
export type Defined = { name: string; autoStart: boolean; persistent: boolean }

/** The definitions, as a port: those that may be used, seen from a directory. */
export type Definitions = (cwd: string) => Defined[]

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
