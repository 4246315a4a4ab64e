import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { unreadCount } from '../bus/mail/unread.ts'
import { nameNow } from '../bus/names/names.ts'
import { findSession, readSessions, type Session } from '../bus/names/registry.ts'
import { renameSession, settleRenames } from '../bus/names/rename.ts'
import { CodedError } from '../errors.ts'
import { renamingOf } from '../launcher/tmuxSession.ts'
import { parseName, parseSessionName } from '../message/name.ts'
import { tellOfRename } from '../session/leave.ts'
import { liveWatcher } from '../session/watcher.ts'
import { refuseOfWorker } from '../session/workers.ts'
import { spawnDetached } from '../system/spawn.ts'
import { requireHuman } from './human.ts'
import { whoMaybe } from './identity.ts'
import type { Ports } from './ports.ts'
import { unknownSession } from './recipient.ts'

/** A session under its new name. `unread` counts the messages that it has taken along. */
export type Renamed = { from: string; name: string; unread: number; session: Session }

/**
 * Renames a session, by itself or by the human, while it runs or not. Done again, it finishes what
 * an earlier run was ended at. Throws `SESSION_UNKNOWN`, `NAME_TAKEN`, `NAME_INVALID` or
 * `NAME_RESERVED`, `NAME_TAKEN` for a worker, and `GATE_REFUSED` for an agent that renames another.
 */
export async function rename(
  request: { from: string; to: string },
  ports: Pick<Ports, 'bus' | 'env' | 'notice'>,
): Promise<Renamed> {
  const bus = ports.bus()
  const from = parseName(request.from)
  const to = parseSessionName(request.to)
  if (from === to) {
    throw new CodedError('USAGE', `@${from} has that name already`, {
      hint: `choose another name, for example: agent-chat rename ${from} ${from}-2`,
    })
  }
  if (whoMaybe(ports)?.name !== from) requireHuman('rename of another', ports)
  refuseDefined(from, bus)
  await settleRenames(bus)
  const session = (await renameSession(bus, from, to)) ?? already(from, to, ports)
  tellOfRename(bus, session)
  if (liveWatcher(bus, to) === undefined) renameTmuxSession(from, session, ports.env)
  return { from, name: to, unread: unreadCount(bus.home, to), session }
}

/** A worker's name is that of its file: what is sent to it would follow the rename, and stay unread. */
function refuseDefined(name: string, bus: Bus): void {
  refuseOfWorker(bus, name)
  const path = bus.home.agentFile(name)
  if (!existsSync(path)) return
  throw new CodedError('NAME_TAKEN', `@${name} is the name of an agent's file: ${path}`, {
    hint: 'rename that file first; a worker of the new name starts with: agent-chat up <name>',
  })
}

/**
 * The watcher does it as it follows; where none runs, a tmux that nobody waits for: only the way
 * back to the session depends on it.
 */
function renameTmuxSession(from: string, session: Session, env: NodeJS.ProcessEnv): void {
  const renaming = renamingOf(from, session)
  if (renaming) spawnDetached(['tmux', '-S', renaming.socket, ...renaming.args], env, '/')
}

/** The session that was renamed so before. Throws `SESSION_UNKNOWN` where there is none. */
function already(from: string, to: string, { bus }: Pick<Ports, 'bus'>): Session {
  const { home } = bus()
  const sessions = readSessions(home)
  const now = nameNow(home, from)
  const session = findSession(sessions, now)
  if (session && now === to) return session
  if (!session || now === from) throw unknownSession(from, Object.keys(sessions))
  throw new CodedError('SESSION_UNKNOWN', `@${from} is @${now} now`, {
    hint: `rename it with: agent-chat rename ${now} ${to}`,
  })
}
