import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { unless } from './errno.ts'

/** A process for good: a pid may be used again, with this start it may not. */
export type ProcessRef = { pid: number; started: string }

/**
 * What is known of a running process. `command` is its short name, as `ps -o comm` shows it;
 * `group` its process group; `foreground` the group that its terminal listens to, -1 without a
 * terminal.
 */
export type ProcessInfo = ProcessRef & {
  parent: number
  command: string
  group: number
  foreground: number
  /** A signal, as of Ctrl-Z, has stopped it. */
  stopped?: true
}

/** Whether a value from a file names a process. Any other would match one that has no start. */
export function isProcessRef(value: unknown): value is ProcessRef {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value))
    return false
  return typeof value.pid === 'number' && typeof value.started === 'string'
}

/** Whether two marks name one process, or both of them none. */
export function sameProcess(
  a: ProcessRef | null | undefined,
  b: ProcessRef | null | undefined,
): boolean {
  return a?.pid === b?.pid && a?.started === b?.started
}

/** The processes of this machine, as a port. */
export type Processes = {
  /** Whether this process is in a sandbox with a list of processes of its own. */
  hidden?: boolean
  self(): ProcessRef
  /** The process with this pid now, or undefined. A zombie counts as gone. */
  find(pid: number): ProcessInfo | undefined
  isAlive(ref: ProcessRef): boolean
  /** Every process, for walks down the tree. */
  all(): ProcessInfo[]
  /** Sends a signal to this very process; false where it is gone. */
  signal(ref: ProcessRef, signal: NodeJS.Signals): boolean
}

/**
 * `outer` gives the list of processes that sessions are known to be in, as the home has noted it; it
 * is asked only where this process does not see the machine's own list.
 */
export function systemProcesses(outer?: () => string | undefined): Processes {
  const find = process.platform === 'linux' ? findInProc : findWithPs
  let self: ProcessRef | undefined
  const isAlive = (ref: ProcessRef) => find(ref.pid)?.started === ref.started
  const sandbox = sandboxed(outer)
  if (sandbox !== undefined) return inSandbox(sandbox)
  return {
    self: () => {
      self ??= { pid: process.pid, started: find(process.pid)?.started ?? '' }
      return self
    },
    find,
    isAlive,
    all: process.platform === 'linux' ? allInProc : () => ps(['-A']),
    signal: (ref, signal) => {
      const kill = () => process.kill(ref.pid, signal)
      return isAlive(ref) && (unless(['ESRCH'], kill) ?? false)
    },
  }
}

/** Where the launcher says which list of processes it has seen itself. */
export const PROCESSES_VARIABLE = 'AGENT_CHAT_PROCESSES'

/** The list of processes that this process sees, as Linux names it; undefined elsewhere. */
export function processList(): string | undefined {
  if (process.platform !== 'linux') return undefined
  return unless(['ENOENT', 'EACCES', 'EPERM'], () => readlinkSync('/proc/self/ns/pid'))
}

/** The list of the machine itself, which shows every process: PROC_PID_INIT_INO of Linux. */
const MACHINE = 'pid:[4026531836]'

/**
 * The list that a sandbox has of its own; undefined where it is that of the sessions. A command
 * in a sandbox may change the variable, so that what the home has noted counts as well.
 */
function sandboxed(noted: () => string | undefined = () => undefined): string | undefined {
  const own = processList()
  if (own === undefined || own === MACHINE) return undefined
  const isOther = (outer: string | undefined) => Boolean(outer) && outer !== own
  if (isOther(process.env[PROCESSES_VARIABLE])) return own
  const before = noted()
  return isOther(before) && (before === MACHINE || !isContainer()) ? own : undefined
}

/**
 * Whether this list is a container's, which has another one each time it starts: Docker and Podman
 * leave a file. A sandbox inside it has the file as well, and bubblewrap as its first process.
 */
function isContainer(): boolean {
  const first = unless(['ENOENT', 'EACCES'], () => readFileSync('/proc/1/comm', 'utf8'))?.trim()
  return ['/.dockerenv', '/run/.containerenv'].some(existsSync) && first !== 'bwrap'
}

/**
 * In a sandbox the pids are others. A process of its own is marked with its list, and believed
 * nowhere else; of those outside nothing can be seen, so whatever is registered counts as alive:
 * nobody leaves, and nothing is cleaned up, because of what a sandbox does not show.
 */
function inSandbox(list: string): Processes {
  const own = (info: ProcessInfo) => ({ ...info, started: `${info.started}@${list}` })
  const find = (pid: number) => {
    const info = findInProc(pid)
    return info && own(info)
  }
  const isAlive = ({ pid, started }: ProcessRef) =>
    started.includes('@') ? find(pid)?.started === started : started.startsWith(`${bootId()}-`)
  return {
    hidden: true,
    self: () => ({ pid: process.pid, started: find(process.pid)?.started ?? '' }),
    find,
    isAlive,
    all: () => allInProc().map(own),
    signal: (ref, signal) => {
      const kill = () => process.kill(ref.pid, signal)
      return ref.started.includes('@') && isAlive(ref) && (unless(['ESRCH'], kill) ?? false)
    },
  }
}

/**
 * What a shell can look for to see whether there is a process: a path, or where there is no /proc,
 * its pid for `kill -0`.
 */
export function traceOf(pid: number): string {
  return process.platform === 'linux' ? `/proc/${pid}` : String(pid)
}

/**
 * proc(5): `pid (comm) state ppid …`, field 22 the start in clock ticks since boot; comm may hold
 * spaces and brackets.
 */
function findInProc(pid: number): ProcessInfo | undefined {
  const stat = unless(['ENOENT', 'ESRCH'], () => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  const close = stat.lastIndexOf(')')
  const fields = stat.slice(close + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    foreground: Number(fields[5]),
    command: stat.slice(stat.indexOf('(') + 1, close),
    started: `${bootId()}-${fields[19]}`,
    ...(fields[0] === 'T' && { stopped: true }),
  }
}

let boot: string | undefined

/** Clock ticks count from boot: after a restart the same number means another process. */
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  return boot
}

function allInProc(): ProcessInfo[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids.map((pid) => findInProc(Number(pid))).filter((info) => info !== undefined)
}

function findWithPs(pid: number): ProcessInfo | undefined {
  return ps(['-p', String(pid)])[0]
}

function ps(which: string[]): ProcessInfo[] {
  // Only where there is no /proc: loading it costs every command a tenth of a start-up.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync(
    'ps',
    [...which, '-o', 'pid=,ppid=,pgid=,tpgid=,stat=,lstart=,comm='],
    {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    },
  )
  return (stdout ?? '').split('\n').flatMap((line) => {
    const match =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.+)$/.exec(
        line,
      )
    if (!match || match[5]?.startsWith('Z')) return []
    const [pid = 0, parent = 0, group = 0, foreground = 0] = match.slice(1, 5).map(Number)
    const [started = '', path = ''] = match.slice(6)
    const command = path.split('/').at(-1) ?? path
    const stopped = match[5]?.startsWith('T') ? { stopped: true as const } : {}
    return [{ pid, parent, group, foreground, started, command, ...stopped }]
  })
}
