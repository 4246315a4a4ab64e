import { readFileSync, renameSync } from 'node:fs'
import { CodedError } from '../../errors.ts'
import { NAME_PATTERN } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import { unless } from '../../system/errno.ts'
import { faultPoint } from '../../system/fault.ts'
import { replaceFile } from '../../system/files.ts'
import { isProcessRef, type ProcessRef } from '../../system/processes.ts'
import type { Bus } from '../bus.ts'
import { record } from '../history.ts'
import type { Home } from '../home.ts'
import { nameNow } from './names.ts'

/** A session, as `sessions.json` keeps it. Pane ids are per tmux server, hence the socket. */
export type Session = {
  name: string
  pane: string | null
  tmux_socket: string | null
  /** What its pane began with, where that is known: only below it, a process is in the pane. */
  pane_process?: ProcessRef
  /** ISO 8601. */
  joined_at: string
  /** The agent's process, where it is known. */
  agent: ProcessRef | null
  /** Whether the agent is a Claude Code with this plugin, which listens to its bell by itself. */
  native: boolean
  /** Which doorbell rings for it: `auto`, `native`, `tmux` or `stdout`. */
  doorbell: string
  cwd: string
  /** False where no watcher in the background is to ring for it. */
  watch?: false
  /** What the input line of its agent begins with, where it is more than one sign. */
  prompt?: string
  /** True where our launcher started the agent. */
  launched?: true
  /** True where it is a worker's. */
  worker?: true
  /** Which agent it is, where it is one that agent-chat knows and that is not Claude Code. */
  program?: string
  /** The socket of the agent's own server, or the file that it reads prompts from. */
  server?: string
  /** Fields of other versions, kept as they came. */
  [field: string]: unknown
}

export type Sessions = Record<string, Session>

/** Every session. Needs no lock: the file is replaced as a whole. Throws `REGISTRY_BROKEN`. */
export function readSessions(home: Pick<Home, 'sessions'>): Sessions {
  const text = readText(home)
  if (text === undefined) return {}
  const sessions = parseSessions(text)
  if (sessions) return sessions
  throw new CodedError('REGISTRY_BROKEN', `${home.sessions} cannot be read as a registry`, {
    hint: 'run: agent-chat doctor; it moves the file aside, and each session can then join again',
  })
}

/** The session of this name, or undefined. */
export function findSession(sessions: Sessions, name: string): Session | undefined {
  return Object.hasOwn(sessions, name) ? sessions[name] : undefined
}

/** The name that a given one stands for: itself where it is registered, else the newer one. */
export function nameMeant(home: Pick<Home, 'names'>, sessions: Sessions, name: string): string {
  return findSession(sessions, name) ? name : nameNow(home, name)
}

/**
 * Changes the registry under its lock. `change` gives the new sessions, or undefined to leave
 * things as they are. Before it changes anything else, it calls `stillHeld`, which throws as this
 * does. An unreadable file is kept aside first, and the bus told where. `after` runs under
 * the lock, too, once the file is there. Throws `LOCKED` where another process keeps the lock, or
 * took it over while this one was stopped.
 */
export async function updateSessions(
  bus: Omit<Bus, 'processes'>,
  change: (
    sessions: Sessions,
    stillHeld: () => void,
  ) => Sessions | undefined | Promise<Sessions | undefined>,
  after: () => void = () => {},
): Promise<void> {
  // Its library costs send, inbox and history a start-up that they need not pay.
  const { withLock } = await import('../../system/lock.ts')
  await withLock(bus.home.sessions, async () => {
    faultPoint('registry:locked')
    const sessions = readOrSetAside(bus)
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

/** A process that was stopped until others took its lock over would undo their work. */
export function lostLock(path: string): CodedError {
  return new CodedError(
    'LOCKED',
    `${path} was changed by another process while this one was suspended`,
    {
      hint: 'try again: nothing was changed',
    },
  )
}

function readOrSetAside(bus: Omit<Bus, 'processes'>): Sessions {
  const text = readText(bus.home)
  const sessions = text === undefined ? {} : parseSessions(text)
  if (sessions) return sessions
  const aside = `${bus.home.sessions}.broken-${isoTime(bus.clock.now()).replaceAll(':', '')}`
  renameSync(bus.home.sessions, aside)
  record(bus, 'registry-set-aside', { path: aside })
  bus.notice?.(`sessions.json could not be read; it is kept as ${aside}`)
  return {}
}

function readText(home: Pick<Home, 'sessions'>): string | undefined {
  return unless(['ENOENT'], () => readFileSync(home.sessions, 'utf8'))
}

/** Undefined for text that is no registry. A field that an old version left out gets a default. */
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
  const session: Session = {
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
  if (parseRef(fields.pane_process) === null) delete session.pane_process
  if (fields.watch !== false) delete session.watch
  if (typeof fields.prompt !== 'string') delete session.prompt
  if (typeof fields.program !== 'string') delete session.program
  if (typeof fields.server !== 'string') delete session.server
  return session
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function parseRef(value: unknown): ProcessRef | null {
  if (!isProcessRef(value) || !Number.isSafeInteger(value.pid) || value.pid <= 1) return null
  return { pid: value.pid, started: value.started }
}
