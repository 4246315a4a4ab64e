import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { findSession, readSessions, type Session } from '../bus/names/registry.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { hooksReason } from '../session/hooksOff.ts'
import { keepWatcher, type LaunchWatcher } from '../session/keepWatcher.ts'
import { leave, tellOfRename } from '../session/leave.ts'
import { type Alive, isAlive } from '../session/roster.ts'
import { dialogSaid } from '../session/startDialog.ts'
import { settingsThatTried, triedLine } from '../session/startedWith.ts'
import { startDialogOf } from '../session/startScreen.ts'
import { believedState } from '../session/stateFile.ts'
import { liveWatcher } from '../session/watcher.ts'
import type { Check } from '../setup/check.ts'
import { entriesIn, lookAt } from '../system/files.ts'
import { dropPidFile, readPidFile } from '../system/pidFile.ts'
import type { Tmux } from '../system/tmux.ts'
import { GRACE_MS, note, type Sweep } from './sweep/finding.ts'

const HOOKS_HINT =
  'repair that, then start Claude Code again; until then messages wait, and only their senders are shown'

type SessionPorts = {
  tmux: Tmux
  /** Whether tmux can be asked at all. */
  hasTmux: boolean
  startWatcher: LaunchWatcher
}

/**
 * Sweeps what sessions, watchers and launchers leave behind. A session leaves only where its
 * agent's process is known and has ended; where just its pane is gone, that is for its user to say.
 */
export async function sweepSessions(sweep: Sweep, ports: SessionPorts): Promise<void> {
  for (const session of Object.values(readSessions(sweep.bus.home))) {
    const { name } = session
    if ((await lifeOf(session, sweep, ports)) !== 'gone') continue
    const found = { paths: [sweep.bus.home.sessions], name }
    if (session.agent === null) await note(sweep, 'pane-gone', found)
    else {
      const ours = (now: Session) => now.joined_at === session.joined_at
      await note(sweep, 'agent-ended', found, () => leave(name, { bus: sweep.bus }, ours))
    }
  }
  for (const entry of entriesIn(sweep.bus.home.pids)) await sweepPidEntry(sweep, entry.name, ports)
  tellRenamed(sweep)
}

/** The agent of a session whose rename was finished just now listens to its old bell. */
function tellRenamed({ bus, findings }: Sweep): void {
  const sessions = readSessions(bus.home)
  for (const { state, name, mended } of findings) {
    const session = name === undefined ? undefined : findSession(sessions, name)
    if (session && state === 'half-renamed' && mended) tellOfRename(bus, session)
  }
}

/** Who is there, and whether the watcher of each session with a pane runs. */
export async function checkSessions(sweep: Sweep, ports: SessionPorts): Promise<Check[]> {
  const sessions = Object.values(readSessions(sweep.bus.home))
  const lives = await Promise.all(sessions.map((session) => lifeOf(session, sweep, ports)))
  const alive = sessions.filter((_, at) => lives[at] === 'alive')
  const detail =
    sessions.length === 0
      ? 'none registered'
      : `${sessions.length} registered, ${alive.length} alive`
  const deaf = alive.filter(
    ({ name, pane, doorbell }) =>
      pane !== null && doorbell !== 'native' && liveWatcher(sweep.bus, name) === undefined,
  )
  return [
    { name: 'sessions', status: 'ok', detail },
    ...deaf.map(
      ({ name, pane }): Check => ({
        name: 'watcher',
        status: 'warning',
        detail: `@${name} has no watcher: nothing wakes it`,
        hint: `start one with: agent-chat join ${name} ${pane}`,
      }),
    ),
    ...(await Promise.all(alive.map((session) => unguarded(session, sweep.bus, ports)))).flat(),
    ...triedIn(alive),
  ]
}

/** A session whose hooks do not run, unless its agent only asks something first. */
async function unguarded(session: Session, bus: Bus, ports: SessionPorts): Promise<Check[]> {
  const why = hooksReason(session, bus)
  if (why === undefined) return []
  const { name } = session
  const heard = believedState(bus.home, name, bus.processes)
  const dialog = !heard && ports.hasTmux ? await startDialogOf(session, ports.tmux) : undefined
  if (dialog)
    return [{ name: 'sessions', status: 'ok', detail: `@${name} ${dialogSaid(name, dialog)}` }]
  const detail = `@${name} has no guardrails: ${why}`
  return [{ name: 'settings', status: 'warning', detail, hint: HOOKS_HINT }]
}

/** The files with which a project tries to change what guards its sessions. */
function triedIn(sessions: Session[]): Check[] {
  const projects = sessions.filter(({ program }) => program === undefined).map(({ cwd }) => cwd)
  const tried = [...new Set(projects)].flatMap(settingsThatTried)
  return [...new Map(tried.map((one) => [one.path, one])).values()].map((one) => ({
    name: 'settings',
    status: 'warning',
    detail: triedLine(one),
    hint: 'set it where you start Claude Code, or in your own settings, if you want it',
  }))
}

async function lifeOf(session: Session, sweep: Sweep, ports: SessionPorts): Promise<Alive> {
  if (session.agent === null && !ports.hasTmux) return 'unknown'
  return isAlive(session, { processes: sweep.bus.processes, tmux: ports.tmux })
}

async function sweepPidEntry(sweep: Sweep, file: string, ports: SessionPorts): Promise<void> {
  const { home } = sweep.bus
  const path = join(home.pids, file)
  if (file.endsWith('.launch')) {
    const written = lookAt(path)?.mtimeMs
    if (written !== undefined && sweep.bus.clock.now() - written > GRACE_MS)
      await note(sweep, 'stale-handover', { paths: [path] }, () => rmSync(path))
    return
  }
  const name = file.slice(0, -'.pid'.length)
  const whose = NAME_PATTERN.test(name) ? { name } : {}
  if (path === home.watcherPid || (file.endsWith('.pid') && 'name' in whose))
    await sweepWatcher(sweep, path, whose, ports)
}

/** A session's own watcher that was killed is the home's to make good for. */
async function sweepWatcher(
  { bus, ...sweep }: Sweep,
  path: string,
  whose: { name?: string },
  { startWatcher }: SessionPorts,
): Promise<void> {
  const ref = readPidFile(path)
  if (ref && bus.processes.isAlive(ref)) return
  await note({ bus, ...sweep }, 'watcher-killed', { paths: [path], ...whose }, () => {
    if (ref) dropPidFile(path, ref)
    else rmSync(path, { force: true })
    keepWatcher(bus, startWatcher)
  })
}
