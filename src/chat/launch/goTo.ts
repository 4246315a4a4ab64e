import { findSession, nameMeant, readSessions, type Session } from '../../bus/names/registry.ts'
import { CodedError } from '../../errors.ts'
import { nameBeside } from '../../message/name.ts'
import { slipsOf } from '../../message/nearest.ts'
import { paneOf } from '../../session/identity.ts'
import { nameTaken, sessionsIn } from '../../session/join.ts'
import { isAlive } from '../../session/roster.ts'
import type { PaneAddress } from '../../system/tmux.ts'
import type { Ports } from '../ports.ts'

/** Whether a session has this name, or had it until it was renamed. */
export function isKnown(name: string, { bus }: Pick<Ports, 'bus'>): boolean {
  const sessions = sessionsIn(bus())
  return findSession(sessions, nameMeant(bus().home, sessions, name)) !== undefined
}

/** A name of fewer letters is one slip from too many others. */
const SHORTEST_SLIP = 4

/** A session that is alive and whose name is one slip from this one, which none has. */
export async function similarSession(
  name: string,
  ports: Pick<Ports, 'bus' | 'tmux'>,
): Promise<string | undefined> {
  const letters = name.replaceAll(/[^a-z]/g, '').length
  const sessions = letters < SHORTEST_SLIP ? {} : sessionsIn(ports.bus())
  for (const one of slipsOf(name, Object.keys(sessions)))
    if (await runningSession(one, ports, sessions)) return one
  return undefined
}

/** The session of this name, where it is alive. */
export async function runningSession(
  name: string,
  { bus, tmux }: Pick<Ports, 'bus' | 'tmux'>,
  sessions = readSessions(bus().home),
): Promise<Session | undefined> {
  const { processes } = bus()
  const session = findSession(sessions, name)
  return session && (await isAlive(session, { processes, tmux })) === 'alive' ? session : undefined
}

/** As `runningSession`, unless nothing but this very pane says that it is alive. */
export async function runningElsewhere(name: string, ports: Ports): Promise<Session | undefined> {
  const session = await runningSession(name, ports, sessionsIn(ports.bus()))
  return session?.agent === null && isIn(session, paneOf(ports.env)) ? undefined : session
}

export async function hasTerminal({ isTerminal }: Pick<Ports, 'isTerminal'>): Promise<boolean> {
  return (await isTerminal('stdin')) && (await isTerminal('stdout'))
}

/**
 * Shows a session that was to be started and is alive, until it is left, and gives tmux's exit code.
 * Throws `NAME_TAKEN` without a terminal, with `detach`, and where there is no other pane to go to.
 */
export async function goToRunning(
  session: Session,
  { detach }: { detach?: boolean },
  ports: Ports,
): Promise<number> {
  const { name, pane, tmux_socket: socket } = session
  if (detach || pane === null || socket === null || !(await hasTerminal(ports)))
    throw nameTaken(session)
  if (isIn(session, paneOf(ports.env)))
    throw new CodedError('NAME_TAKEN', `@${name} is already running in this pane`, {
      hint: `bring it back with: fg; or choose another name, for example ${nameBeside(name)}`,
    })
  return showPane(name, { pane, socket }, ports)
}

/**
 * Shows the pane of a session in this terminal until it is left, and gives tmux's exit code. Throws
 * `USAGE` where the terminal belongs to another tmux server.
 */
export async function showPane(
  name: string,
  { pane, socket }: PaneAddress,
  { env, tmux }: Pick<Ports, 'env' | 'tmux'>,
): Promise<number> {
  const here = paneOf(env)
  if (here && here.socket !== socket)
    throw new CodedError('USAGE', `@${name} is in another tmux server than this terminal`, {
      hint: `detach from this one first, or use another terminal; then: agent-chat attach ${name}`,
    })
  return tmux.runHere([here ? 'switch-client' : 'attach-session', '-t', pane], socket)
}

function isIn(session: Session, here: PaneAddress | undefined): boolean {
  return here !== undefined && session.pane === here.pane && session.tmux_socket === here.socket
}
