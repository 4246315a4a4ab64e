import type { Bus } from '../bus/bus.ts'
import { fileWatches, isWatched } from '../session/fileWatches.ts'
import type { Check } from '../setup/check.ts'
import { shellQuoted } from '../system/shellQuoted.ts'

/** Watched files whose processes have ended: nobody starts them again by itself. */
export function checkWatched(bus: Bus): Check[] {
  const watches = fileWatches(bus.home)
  const dead = watches.filter((watch) => !isWatched(bus, watch))
  const [first] = dead
  if (watches.length === 0) return []
  if (first === undefined)
    return [{ name: 'watched files', status: 'ok', detail: `${watches.length} watched` }]
  const more = dead.length === 1 ? '' : ` and ${dead.length - 1} more`
  const detail = `${first.path} (for @${first.notify})${more} is no longer watched: its process has ended`
  const path = shellQuoted(first.path)
  const hint = `start it again with: agent-chat watch-file ${path} --notify @${first.notify}; or remove it with: agent-chat watch-file --remove ${path}`
  return [{ name: 'watched files', status: 'warning', detail, hint }]
}
