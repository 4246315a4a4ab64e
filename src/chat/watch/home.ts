import type { Session } from '../../bus/names/registry.ts'
import { lookAfter } from '../../doorbell/rest.ts'
import { watchHome } from '../../doorbell/watchHome.ts'
import { paneLooker, panePid } from '../../session/roster.ts'
import { hintOnChanges } from '../../system/hints.ts'
import { doorbellOf, loadRest, logTo, onEnded, type WatchPorts } from './watcher.ts'

/**
 * Rings for all sessions of the home until none has anything to ring for. Gives the files that its
 * watcher, the process `pid`, looks after from then on; undefined where another watcher took over.
 */
export async function watchWholeHome(
  pid: number,
  ports: WatchPorts,
): Promise<string[] | undefined> {
  const bus = ports.bus()
  const watcher = bus.processes.find(pid)
  if (watcher === undefined) return undefined
  await loadRest()
  const log = logTo(bus)
  const tmux = ports.tmux
  const sessions = await watchHome(
    {
      watcher: { pid, started: watcher.started },
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
      onEnded: (ended) => onEnded(ended, log, ports),
      onStop: ports.onStop,
    },
  )
  const paneProcess = async ({ pane, tmux_socket: socket }: Session) =>
    pane === null || socket === null ? undefined : panePid(tmux, { pane, socket })
  return sessions && lookAfter(sessions, bus, paneProcess)
}
