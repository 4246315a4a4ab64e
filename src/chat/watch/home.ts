import type { Session } from '../../bus/names/registry.ts'
import { lookAfter } from '../../doorbell/rest.ts'
import { readOrUndefined } from '../../doorbell/watch.ts'
import { watchHome } from '../../doorbell/watchHome.ts'
import { endLine } from '../../session/needsLine.ts'
import { paneLooker, panePid } from '../../session/roster.ts'
import { reasonOf } from '../../system/errno.ts'
import { hintOnChanges } from '../../system/hints.ts'
import type { ProcessRef } from '../../system/processes.ts'
import { doorbellOf, loadRest, logTo, onEnded, type WatchPorts } from './watcher.ts'

/**
 * Rings for all sessions of the home until none has anything to ring for. Gives the files that its
 * watcher, the process `pid`, looks after from then on; undefined where another watcher took over.
 * `keepLine` keeps the line that says who needs the person, and gives whether it tells them soon.
 */
export async function watchWholeHome(
  pid: number,
  ports: WatchPorts,
  keepLine: (watcher: ProcessRef) => Promise<boolean>,
): Promise<string[] | undefined> {
  const bus = ports.bus()
  const watcher = bus.processes.find(pid)
  if (watcher === undefined) return undefined
  await loadRest()
  const log = logTo(bus)
  const tmux = ports.tmux
  const ref = { pid, started: watcher.started }
  const sessions = await watchHome(
    {
      watcher: ref,
      doorbellOf: (session) => ({
        doorbell: doorbellOf(session, ports),
        leaveToNative: session.doorbell === 'auto',
      }),
    },
    {
      ...{ bus, log },
      watchDirectory: (directory, onEvent, onTrouble) => {
        const close = hintOnChanges([{ directory }], onEvent, onTrouble)
        return { close: async () => close() }
      },
      paneLooker: () => paneLooker({ processes: bus.processes, tmux }),
      // It only tells: whatever is wrong with it, the bells ring.
      keepLine: () =>
        keepLine(ref).catch((error) => {
          log('@line', reasonOf(error))
          return false
        }),
      onEnded: (ended) => onEnded(ended, log, ports),
      onStop: ports.onStop,
    },
  )
  const paneProcess = async ({ pane, tmux_socket: socket }: Session) =>
    pane === null || socket === null ? undefined : panePid(tmux, { pane, socket })
  const all = Object.values(readOrUndefined(bus) ?? {})
  const files = sessions && (await lookAfter(sessions, all, bus, paneProcess))
  // Its watcher ends then.
  if (!files?.length) endLine(bus.home, ref)
  return files
}
