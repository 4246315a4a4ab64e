import { readFileSync, renameSync } from 'node:fs'
import { CodedError } from '../errors.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { isErrno } from '../system/errno.ts'
import { faultPoint } from '../system/fault.ts'
import { replaceFile } from '../system/files.ts'
import type { ProcessRef } from '../system/processes.ts'
import type { Bus } from './bus.ts'
import { record } from './history.ts'
import type { Home } from './home.ts'

/** A named participant, as `sessions.json` keeps it. Pane ids are per tmux server, so a pane comes with its server's socket. */
export type Session = {
  name: string
  pane: string | null
  tmux_socket: string | null
  /** ISO 8601. */
  joined_at: string
  /** The agent's process, where it is known. */
  agent: ProcessRef | null
  /** Whether the agent is a Claude Code with this plugin, which listens to its bell by itself once it is up. */
  native: boolean
  /** Which doorbell rings for it: `auto`, `native`, `tmux` or `stdout`. */
  doorbell: string
  cwd: string
  /** Fields of other versions, kept as they came. */
  [field: string]: unknown
}

export type Sessions = Record<string, Session>

/** Everyone registered. Needs no lock: the file is replaced as one step. Throws `REGISTRY_BROKEN`. */
export function readSessions(home: Pick<Home, 'sessions'>): Sessions {
  const text = readText(home)
  if (text === undefined) return {}
  const sessions = parseSessions(text)
  if (sessions) return sessions
  throw new CodedError('REGISTRY_BROKEN', `${home.sessions} cannot be read as a registry`, {
    hint: 'agent-chat doctor keeps it aside under another name; then each session joins again',
  })
}

/** The session of this name, or undefined. */
export function findSession(sessions: Sessions, name: string): Session | undefined {
  return Object.hasOwn(sessions, name) ? sessions[name] : undefined
}

/**
 * Changes the registry under its lock. `change` gives the new sessions, or undefined to leave things as they are; before it changes anything else, it calls
 * `stillHeld`, which throws as this does.
 * A file that cannot be read is kept aside first; `onAside` learns its new name. `after` runs under the lock, too, once the file is there. Throws `LOCKED`
 * where another keeps the lock, or took it over from this process while that was stopped.
 */
export async function updateSessions(
  bus: Pick<Bus, 'home' | 'clock'>,
  change: (sessions: Sessions, stillHeld: () => void) => Sessions | undefined | Promise<Sessions | undefined>,
  onAside: (path: string) => void,
  after: () => void = () => {},
): Promise<void> {
  // Its library costs a start-up that send, inbox and history need not pay.
  const { withLock } = await import('../system/lock.ts')
  await withLock(bus.home.sessions, async () => {
    faultPoint('registry:locked')
    const sessions = readOrSetAside(bus, onAside)
    const before = readText(bus.home)
    const stillHeld = () => {
      if (readText(bus.home) !== before) throw lostLock(bus.home.sessions)
    }
    const next = await change(sessions, stillHeld)
    if (next) {
      replaceFile(bus.home.sessions, `${JSON.stringify(next, null, 2)}\n`, () => {
        faultPoint('registry:written')
        stillHeld()
      })
      faultPoint('registry:replaced')
    }
    after()
  })
}

/** A process that was stopped for so long that others took its lock over would undo what they have done. */
export function lostLock(path: string): CodedError {
  return new CodedError('LOCKED', `${path} was changed by another process while this one was stopped`, {
    hint: 'try again: nothing was changed',
  })
}

function readOrSetAside(bus: Pick<Bus, 'home' | 'clock'>, onAside: (path: string) => void): Sessions {
  const text = readText(bus.home)
  const sessions = text === undefined ? {} : parseSessions(text)
  if (sessions) return sessions
  const aside = `${bus.home.sessions}.broken-${isoTime(bus.clock.now()).replaceAll(':', '')}`
  renameSync(bus.home.sessions, aside)
  record(bus, 'registry-set-aside', { path: aside })
  onAside(aside)
  return {}
}

function readText(home: Pick<Home, 'sessions'>): string | undefined {
  try {
    return readFileSync(home.sessions, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The sessions in the file's text, or undefined where it is no registry. What an older version left out gets its default. */
export function parseSessions(text: string): Sessions | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const sessions: Sessions = {}
  for (const [name, entry] of Object.entries(value)) {
    const session = NAME_PATTERN.test(name) ? parseSession(name, entry) : undefined
    if (!session) return undefined
    sessions[name] = session
  }
  return sessions
}

function parseSession(name: string, entry: unknown): Session | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  const fields: Record<string, unknown> = { ...entry }
  return {
    ...fields,
    name,
    pane: textOrNull(fields.pane),
    tmux_socket: textOrNull(fields.tmux_socket),
    joined_at: textOrNull(fields.joined_at) ?? '1970-01-01T00:00:00.000Z',
    agent: parseRef(fields.agent),
    native: fields.native === true,
    doorbell: textOrNull(fields.doorbell) ?? 'auto',
    cwd: textOrNull(fields.cwd) ?? '',
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function parseRef(value: unknown): ProcessRef | null {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return null
  const { pid, started } = value
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1 && typeof started === 'string'
    ? { pid, started }
    : null
}
