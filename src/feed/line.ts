import type { Bus } from '../bus/bus.ts'
import { listNoted, noteLine } from '../session/needsLine.ts'
import { sessionsNow } from '../session/sessionRows.ts'
import type { ProcessRef } from '../system/processes.ts'
import { lineOf, needRow } from './need.ts'
import { needsNow } from './needs.ts'
import { createTeller } from './tell.ts'

/**
 * What makes the line true again, for as long as the process `watcher` runs, and tells the person of
 * who is new on the list; it gives whether it will do that soon. The file changes with every change
 * of the list: whoever shows the list looks again then.
 */
export function lineKeeper(
  ports: { bus: () => Bus; env: NodeJS.ProcessEnv } & Parameters<typeof sessionsNow>[0],
): (watcher: ProcessRef) => Promise<boolean> {
  const bus = ports.bus()
  const tell = createTeller({ ...ports, bus })
  return async (watcher) => {
    const rows = await sessionsNow(ports)
    const needs = needsNow(bus, rows)
    const known = listNoted(bus.home)
    const list = needs.map((need) => ('count' in need ? `${need.key} ${need.count}` : need.key))
    noteLine(bus.home, lineOf(needs.map(needRow)), watcher, list)
    return tell(needs, known, rows)
  }
}
