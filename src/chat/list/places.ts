import type { Bus } from '../../bus/bus.ts'
import { shortId } from '../../message/shortId.ts'
import { callsSince } from '../mcpLog.ts'
import { idOf, orderOf } from './order.ts'

/** A list is still in view for so long. */
const IN_VIEW_MS = 30 * 60_000

/** As many as `list_tasks` lists by itself. */
const LISTED = 50

const LISTS = 'list_tasks'
const CHANGES = new Set(['update_task', 'complete_task', 'delete_task'])

/**
 * The short ids of the tasks that a number may stand for: 1 is the first, -1 the last. The log of
 * calls tells which list was given last: the candidates of the call before, or what `list_tasks`
 * gave. After candidates that were chosen from, either may be meant; without any list, that of all
 * tasks or of the pending ones.
 */
export function idsAt(place: number, name: string, bus: Bus): string[] {
  const at = place > 0 ? place - 1 : place
  const found = listsInView(name, bus).map((ids) => ids.at(at))
  return [...new Set(found)].filter((id) => id !== undefined)
}

function listsInView(name: string, bus: Bus): string[][] {
  const lists: string[][] = []
  let hasChanged = false
  for (const { tool, result } of callsSince(bus, name, bus.clock.now() - IN_VIEW_MS)) {
    const { listed, success } = result
    if (tool === LISTS && listed) return [...lists, listed]
    if (!CHANGES.has(tool)) continue
    if (listed && !hasChanged) return [listed]
    if (listed && lists.length === 0) lists.push(listed)
    hasChanged ||= success
  }
  const orders = [false, true].map((pending) => orderOf(bus, name, { pending }).slice(-LISTED))
  return [...lists, ...orders.map((order) => order.map((one) => shortId(idOf(one))))]
}
