import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import { heldMarks } from '../../bus/held.ts'
import { readSessions, type Session } from '../../bus/registry.ts'
import { unreadIds } from '../../bus/unread.ts'
import { type Alive, aliveByProcess, panesOn } from '../../session/roster.ts'
import { believedState } from '../../session/stateFile.ts'
import { readWaiting, type Waiting } from '../../session/waiting.ts'
import { liveWatcher } from '../../session/watcher.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'
import { ago } from '../render/time.ts'

/** One line of `who`. `state` is what the session is doing, where hooks tell; `held`, how many of the unread messages are held back. */
export type WhoRow = {
  name: string
  pane: string | null
  tmux_socket: string | null
  state: string
  unread: number
  held: number
  joined_at: string
  alive: Alive
  watcher: boolean
  waiting: Waiting | null
  cwd: string
}

export function whoCommand(program: Command, ports: Ports, run = runWho): void {
  addCommand(
    program,
    'who',
    'the sessions: name, pane, state, unread, joined, alive or not',
    'agent-chat who --json',
  ).action(async (options: { json?: boolean }) => {
    const sessions = await run(ports)
    if (options.json) return ports.print(`${JSON.stringify({ sessions })}\n`)
    ports.print(
      sessions.length === 0
        ? 'no sessions: start one with: agent-chat <name>\n'
        : renderWho(sessions, ports.bus().clock.now()),
    )
  })
}

/** Every registered session, in the order of names. Asks tmux only for those whose process is not known. */
export async function runWho(ports: Pick<Ports, 'bus' | 'tmux'>): Promise<WhoRow[]> {
  const bus = ports.bus()
  const sessions = Object.values(readSessions(bus.home)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const panes = new Map<string, Set<string>>()
  const alive = async (session: Session): Promise<Alive> => {
    const known = aliveByProcess(session, bus.processes)
    const { pane, tmux_socket: socket } = session
    if (known !== undefined || pane === null || socket === null) return known ?? 'unknown'
    const there = panes.get(socket) ?? (await panesOn(ports.tmux, socket))
    panes.set(socket, there)
    return there.has(pane) ? 'alive' : 'gone'
  }
  const rows: WhoRow[] = []
  for (const session of sessions) {
    const { name, pane, tmux_socket, joined_at, cwd } = session
    const life = await alive(session)
    rows.push({
      name,
      pane,
      tmux_socket,
      state: life === 'gone' ? 'gone' : (believedState(bus.home, name, bus.processes)?.activity ?? 'unknown'),
      ...unreadOf(bus, name),
      joined_at,
      alive: life,
      watcher: liveWatcher(bus, name) !== undefined,
      waiting: readWaiting(bus.home, name) ?? null,
      cwd,
    })
  }
  return rows
}

function unreadOf(bus: Bus, name: string): { unread: number; held: number } {
  const ids = unreadIds(bus.home, name)
  const marks = ids.length === 0 ? {} : heldMarks(bus.home, name)
  return { unread: ids.length, held: ids.filter((id) => marks[id]?.ring === 'held').length }
}

function renderWho(rows: WhoRow[], now: number): string {
  const lines = rows.map((row) => [
    `@${row.name}`,
    row.pane ?? '-',
    row.state,
    String(row.unread),
    ago(row.joined_at, now),
    row.alive,
    [
      row.held === 0 ? '' : `${row.held} held: agent-chat gate`,
      row.waiting === null ? '' : `waiting to ring: ${row.waiting.why}`,
      row.pane !== null && !row.watcher ? 'no watcher' : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  return table(['name', 'pane', 'state', 'unread', 'joined', 'alive', ''], lines)
}
