import { type PipeEnd, readsAt as readsInProc } from '../system/output.ts'
import type { Processes } from '../system/processes.ts'
import { ancestors, isShell } from './agent.ts'

/**
 * The program beside this one in a pipeline of the shell that reads this pipe, by its name. Whether
 * it passes all of it on, nobody knows. Undefined where whoever started this captures it, an agent
 * or a shell by `$(…)`, and where nothing tells.
 */
export function filterOf(
  pipe: PipeEnd,
  processes: Pick<Processes, 'self' | 'find' | 'all'>,
  readsAt = readsInProc,
): string | undefined {
  const self = processes.self().pid
  const group = processes.find(self)?.group
  const above = [...ancestors(processes, self)]
  const known = new Set([self, ...above.map(({ pid }) => pid)])
  const shells = new Set(above.flatMap((one) => (isShell(one.command) ? [one.pid] : [])))
  const beside = processes
    .all()
    .filter((one) => !known.has(one.pid) && (one.group === group || shells.has(one.parent)))
  const reading = (from: typeof above) =>
    from
      .map(({ pid, command }) => ({ command, at: readsAt(pid, pipe) }))
      .filter(({ at }) => at.length > 0)
  const readers = reading(beside)
  const captors = reading(above)
  // A shell may run the last part of a pipeline itself, or become it.
  const filter = [...readers, ...captors].find(({ at }) => at.includes(0))
  if (filter) return filter.command
  // An agent's other children may have inherited the pipe by which it captures.
  return captors.some(({ command }) => !isShell(command)) ? undefined : readers[0]?.command
}
