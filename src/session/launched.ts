import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { isReserved, NAME_PATTERN } from '../message/name.ts'
import {
  lookAt,
  makeDirectory,
  namesIn,
  readPlainFile,
  removeFile,
  replaceFile,
} from '../system/files.ts'
import { fieldOf, jsonOf } from '../system/json.ts'
import { isProcessRef, type ProcessRef } from '../system/processes.ts'
import { userId } from '../system/user.ts'
import { aliveByProcess } from './roster.ts'

/**
 * What a session was started with, so that it can come back. Only an end by choice removes it:
 * `stop`, `leave`, the agent's own way out.
 *
 * `program`: which agent it is, where that is known; `command`: a command line of the user's own,
 * null for Claude Code; `args`: what stood behind it, null where nobody knows; `config`: the
 * agent's own configuration folder, where a variable named one; `agent`: its process, whose start
 * names the boot; `server`: the tmux server of its pane; `started`: ISO 8601. `fell`: how its agent
 * ended by itself, where that was seen.
 */
export type LaunchRecord = {
  program: string | null
  command: string | null
  args: string[] | null
  cwd: string
  config: string | null
  agent: ProcessRef
  server: ProcessRef | null
  started: string
  fell?: Fell
}

/** How an agent ended that nobody had asked to; `at`: ISO 8601. */
export type Fell = { code: number; signal: string | null; at: string }

/** Notes what a session was started with. The disk has it when this returns: it is for a power cut. */
export function noteLaunch({ home }: Pick<Bus, 'home'>, name: string, launch: LaunchRecord): void {
  makeDirectory(home.launches)
  replaceFile(home.launched(name), `${JSON.stringify(launch)}\n`)
}

/** The session has ended by choice: it does not come back. */
export function forgetLaunch({ home }: Pick<Bus, 'home'>, name: string): void {
  removeFile(home.launched(name))
}

/** The agent has ended by itself, not well, and its terminal has not been closed under it. */
export function noteFell(bus: Pick<Bus, 'home'>, name: string, fell: Fell): void {
  const launch = readLaunch(bus.home, name)
  if (launch) noteLaunch(bus, name, { ...launch, fell })
}

/** No record is longer: a system takes no more words on one command line. In bytes. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * What a session was started with, where it has not ended by choice since. It becomes a command
 * line: what is not all as `noteLaunch()` leaves it is no record.
 */
function readLaunch(home: Pick<Home, 'launched'>, name: string): LaunchRecord | undefined {
  const path = home.launched(name)
  const uid = userId()
  if (uid !== undefined && lookAt(path)?.uid !== uid) return undefined
  const bytes = readPlainFile(path, MAX_BYTES)
  const value = Buffer.isBuffer(bytes) ? jsonOf(bytes.toString('utf8')) : undefined
  return isLaunch(value) ? value : undefined
}

/** The names of all sessions that have not ended by choice, in order. */
function launchedNames(home: Pick<Home, 'launches'>): string[] {
  const names = namesIn(home.launches).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
  return names.filter((name) => NAME_PATTERN.test(name) && !isReserved(name)).sort()
}

/** Nobody is brought back that was last seen longer ago. In milliseconds. */
export const KEPT_MS = 14 * 24 * 3600 * 1000

/**
 * The sessions that have ended, and not by choice, in the order of names; `seen`: when their hooks
 * last told of them, in milliseconds. What is older than 14 days is forgotten.
 */
export function endedLaunches(bus: Bus): { name: string; launch: LaunchRecord; seen: number }[] {
  const { home, processes, clock } = bus
  const sessions = readSessions(home)
  return launchedNames(home).flatMap((name) => {
    const launch = readLaunch(home, name)
    const session = findSession(sessions, name)
    const isHere = session !== undefined && aliveByProcess(session, processes) !== 'gone'
    if (!launch || isHere || processes.isAlive(launch.agent)) return []
    const seen = launchSeen(home, name)
    if (clock.now() - seen <= KEPT_MS) return [{ name, launch, seen }]
    forgetLaunch(bus, name)
    return []
  })
}

/** The tmux server of the pane that a process with this environment is in. */
export function tmuxServerOf(
  env: NodeJS.ProcessEnv,
  { processes }: Pick<Bus, 'processes'>,
): ProcessRef | null {
  // `socket,pid,session`: tmux(1).
  const server = processes.find(Number(env.TMUX?.split(',').at(-2)))
  return server ? { pid: server.pid, started: server.started } : null
}

/**
 * Whether a session ended with the machine, or with the tmux server that it was in. Else its own
 * terminal was closed, or it alone was killed.
 */
export function endedWithMachine(
  { agent, server }: Pick<LaunchRecord, 'agent' | 'server'>,
  { processes }: Pick<Bus, 'processes'>,
): boolean {
  // On Linux a start begins with the boot.
  const [boot] = /^[0-9a-f]{8}-/.exec(processes.self().started) ?? []
  if (boot !== undefined && !agent.started.startsWith(boot)) return true
  return server !== null && !processes.isAlive(server)
}

/** When the record was written, or the session's hooks last told of it. In milliseconds. */
function launchSeen(home: Pick<Home, 'launched' | 'state'>, name: string): number {
  const times = [home.launched(name), home.state(name)].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return Math.max(...times)
}

function isLaunch(value: unknown): value is LaunchRecord {
  const mayBeText = (key: string) => isWord(fieldOf(value, key)) || fieldOf(value, key) === null
  const [cwd, args, server] = ['cwd', 'args', 'server'].map((key) => fieldOf(value, key))
  return (
    ['program', 'command', 'config'].every(mayBeText) &&
    isWord(cwd) &&
    isAbsolute(cwd) &&
    !Number.isNaN(Date.parse(String(fieldOf(value, 'started')))) &&
    isProcessRef(fieldOf(value, 'agent')) &&
    isFell(fieldOf(value, 'fell')) &&
    (server === null || isProcessRef(server)) &&
    (args === null || (Array.isArray(args) && args.every(isWord)))
  )
}

/** No word of a command line, and no path, has a NUL. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

function isFell(value: unknown): boolean {
  if (value === undefined) return true
  const [code, signal, at] = ['code', 'signal', 'at'].map((name) => fieldOf(value, name))
  return (
    typeof code === 'number' &&
    !Number.isNaN(Date.parse(String(at))) &&
    (signal === null || /^SIG[A-Z0-9+-]+$/.test(String(signal)))
  )
}
