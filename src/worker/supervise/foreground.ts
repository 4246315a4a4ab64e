import { parseName } from '../../message/name.ts'
import type { RunPorts } from '../clock/run.ts'
import { scheduled, usable } from './definitions.ts'
import type { ControlPorts, SupervisePorts } from './ports.ts'
import { supervise } from './supervise.ts'
import { wish } from './wanted.ts'

/**
 * Supervises in this process. `names`: the workers to start, none for those that start by
 * themselves; undefined to go on with what was wanted before. Throws as `supervise()`.
 */
export async function superviseHere(
  names: string[] | undefined,
  ports: ControlPorts & RunPorts & Pick<SupervisePorts, 'onStop' | 'tell'>,
): Promise<void> {
  const { definitions, require } = usable(ports)
  const named = names?.map(parseName) ?? []
  for (const name of named) require(name)
  const own = definitions(ports.cwd).filter(({ autoStart }) => autoStart)
  if (names)
    wish(ports.bus(), named.length > 0 ? named : own.map(({ name }) => name), 'up', ports.cwd)
  await supervise({ ...ports, definitions, runDue: scheduled(ports) })
}
