import type { StartDialog } from '../agents/agent.ts'
import type { Bus } from '../bus/bus.ts'
import { marksOf } from '../bus/mail/marks.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import type { Session } from '../bus/names/registry.ts'
import type { Tmux } from '../system/tmux.ts'
import { needsWatcher, ringsNatively } from './doorbellChoice.ts'
import { type Guard, guardOf } from './hooksOff.ts'
import { type Alive, aliveByProcess, paneAmong, panesOn } from './roster.ts'
import { type Failed, finishedAt, type SessionState } from './state.ts'
import { believedState } from './stateFile.ts'
import { readWaiting, type Waiting } from './waiting.ts'
import { liveWatcher } from './watcher.ts'
import { sessionsAndWorkers, shownWorker, type WorkerShown } from './workers.ts'

type RowPorts = { bus: () => Bus; tmux: Tmux }

/**
 * What `who` and `status` tell of a session. `state` is what it is doing, where hooks tell, and
 * `since` when (ISO 8601); `suspended` where a signal, as of Ctrl-Z, has stopped its agent. `held`
 * is how many of the unread messages are held back.
 */
export type SessionRow = {
  name: string
  pane: string | null
  tmux_socket: string | null
  state: string
  since: string | null
  unread: number
  held: number
  joined_at: string
  alive: Alive
  watcher: boolean
  waiting: Waiting | null
  cwd: string
  /** Which agent it is, where that is known and not Claude Code. */
  program?: string
  /** Why nothing can wake it, where that is so. */
  no_bell?: string
  /**
   * What its agent asks before its first prompt, as its screen shows; `state` is `asking` then,
   * since it joined.
   */
  dialog?: StartDialog
  /** How its last turn failed, where the next one has not ended well. */
  failed?: Failed
  /** When its last turn ended (ISO 8601), where it has finished: `state` is `idle` then. */
  finished_at?: string
  /** Why its hooks do not run, where its agent should have them. */
  no_hooks?: string
  /** Why nothing guards it, where its program has no hooks of agent-chat. */
  no_guardrails?: string
  /** Of a worker: `state` and `since` are its own then. */
  worker?: WorkerShown
}

/** What a session is doing, in the one word that every surface shows. */
export function wordOf({ state, finished_at }: Pick<SessionRow, 'state' | 'finished_at'>): string {
  return finished_at === undefined ? state : 'finished'
}

/** A Claude Code that has joined says after this at the most that it listens. In milliseconds. */
const ARMING_MS = 10_000

const DEAF = 'its Claude Code does not listen for messages; it is woken from its next start on'

/** A row for every registered session and every worker, in the order of names. */
export function sessionsNow(ports: RowPorts): Promise<SessionRow[]> {
  return sessionRows(Object.values(sessionsAndWorkers(ports.bus())), ports)
}

/**
 * A row for each of these sessions, in the order of names. Asks tmux only for those whose process
 * is not known, and each server once.
 */
export async function sessionRows(sessions: Session[], ports: RowPorts): Promise<SessionRow[]> {
  const bus = ports.bus()
  const alive = aliveLooker(ports)
  const rows: SessionRow[] = []
  for (const session of [...sessions].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name, pane, tmux_socket, joined_at, cwd } = session
    const life = await alive(session)
    const shown = shownWorker(bus, name)
    const worker = shown && (shown.runs || life !== 'alive') ? shown : undefined
    const believed = life === 'gone' ? undefined : believedState(bus.home, name, bus.processes)
    const off = worker || life === 'gone' ? {} : await guard(session, bus)
    const unheard = !worker && life !== 'gone' && !believed && pane !== null
    const dialog = unheard ? await dialogOf(session, off.no_hooks, ports.tmux) : undefined
    const finished = believed && !worker ? finishedAt(believed) : undefined
    const stopped = life === 'alive' && isStopped(session, bus)
    const state = stopped
      ? { activity: 'suspended', since: null }
      : (worker ?? believed ?? (dialog && { activity: 'asking', since: joined_at }))
    rows.push({
      name,
      pane,
      tmux_socket,
      state: state?.activity ?? (life === 'gone' ? 'gone' : 'unknown'),
      since: state?.since ?? null,
      ...countUnread(bus, name),
      joined_at,
      alive: life,
      watcher: liveWatcher(bus, name) !== undefined,
      waiting: readWaiting(bus.home, name) ?? null,
      cwd,
      ...(session.program ? { program: session.program } : {}),
      ...(life === 'gone' ? {} : await withoutBell(session, believed, bus)),
      ...(worker && { worker }),
      ...(believed?.failed && !worker && { failed: believed.failed }),
      ...(finished !== undefined && !stopped && { finished_at: finished }),
      // Hooks run once that is answered.
      ...(dialog ? { dialog } : off),
    })
  }
  return rows
}

function isStopped({ agent }: Session, { processes }: Pick<Bus, 'processes'>): boolean {
  return agent !== null && processes.find(agent.pid)?.stopped === true
}

/** Why nothing can wake a session, where that is so: Claude Code needs none of the other agents. */
async function withoutBell(
  session: Session,
  state: SessionState | undefined,
  { clock }: Pick<Bus, 'clock'>,
) {
  if (session.program !== undefined) return (await import('./noBell.ts')).noBell(session, state)
  const mayListen = state === undefined || state.native || !ringsNatively(session)
  const isNew = clock.now() - Date.parse(session.joined_at) < ARMING_MS
  return mayListen || isNew || needsWatcher(session) ? {} : { no_bell: DEAF }
}

/** What its agent asks before its hooks tell of it. Loaded only where they have not. */
async function dialogOf(session: Session, noHooks: string | undefined, tmux: Tmux) {
  if (!session.native && session.program === undefined && noHooks === undefined) return undefined
  const { mayStandAtDialog, startDialogOf } = await import('./startScreen.ts')
  return mayStandAtDialog(session, noHooks) ? startDialogOf(session, tmux) : undefined
}

async function guard(session: Session, bus: Bus): Promise<Guard> {
  if (session.program === undefined) return guardOf(session, bus)
  return (await import('./noBell.ts')).programGuard(session.program)
}

/** What is unread in an inbox, and how much of that is held back. */
export function countUnread(bus: Bus, name: string): { unread: number; held: number } {
  const ids = unreadIds(bus.home, name)
  const marks = ids.length === 0 ? {} : marksOf(bus.home, name)
  return { unread: ids.length, held: ids.filter((id) => marks[id]?.ring === 'held').length }
}

function aliveLooker(ports: RowPorts): (session: Session) => Promise<Alive> {
  const { processes } = ports.bus()
  const panes = new Map<string, ReturnType<typeof panesOn>>()
  return async (session) => {
    const known = aliveByProcess(session, processes)
    const { pane, tmux_socket: socket } = session
    if (known !== undefined || pane === null || socket === null) return known ?? 'unknown'
    const there = panes.get(socket) ?? panesOn(ports.tmux, socket)
    panes.set(socket, there)
    return paneAmong(await there, pane)
  }
}
