import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import type { Session } from '../bus/names/registry.ts'
import { CodedError } from '../errors.ts'
import { namesIn, writeNewFile } from '../system/files.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { tmuxSessionName } from './plan.ts'

/** How long a new pane may take until its session has joined. In milliseconds. */
export const START_MS = 15_000

/**
 * What tmux gets to begin a session in: its server may have to start, and to read what the user has
 * it do then. In milliseconds.
 */
const BEGIN_MS = 15_000

/** The option of a pane that says by which home's launcher it was made. */
export const HOME_OPTION = '@agent_chat_home'

/** The option of a pane that says which agent runs in it and where its server listens. */
const AGENT_OPTION = '@agent_chat_agent'

/** Which agent it is, where that is known and not Claude Code, and the socket of its server. */
export type PaneAgent = { program?: string | undefined; server?: string | undefined }

/**
 * A pane of a launcher's tmux session: the process that it began with, and the home (a path) whose
 * launcher that is, if it is one.
 */
export type LaunchedPane = PaneAddress & {
  pid: number
  home: string | undefined
  runs: PaneAgent
}

/**
 * What a launcher hands to the one it starts in a new pane. A file, because arguments and `tmux -e`
 * are open to every user's `ps`.
 */
export type Handover = {
  env: NodeJS.ProcessEnv
  agentArgs: string[]
  command: string | null
  /** Which agent the command starts, where the user says so. */
  agent?: string | null | undefined
  force: boolean
}

/**
 * Whether the launcher's tmux session of this name is there. A server that does not answer in time
 * has not said that it is gone.
 */
export async function tmuxSessionExists(tmux: Pick<Tmux, 'run'>, name: string): Promise<boolean> {
  const { code, late } = await tmux.run(['has-session', '-t', tmuxTarget(name)])
  return code === 0 || late === true
}

/**
 * What tmux takes for the session that has the launcher's name for a session, and for no other
 * whose name begins so, as a target.
 */
export function tmuxTarget(name: string): string {
  return `=${tmuxSessionName(name)}`
}

/**
 * The panes of the tmux session that has the launcher's name for a session; none where there is no
 * such tmux session.
 */
export async function panesIn(tmux: Tmux, name: string): Promise<LaunchedPane[]> {
  const format = `#{pane_id} #{pane_pid} #{${HOME_OPTION}} #{${AGENT_OPTION}} #{socket_path}`
  const { code, stdout } = await tmux.run([
    'list-panes',
    '-s',
    '-t',
    `${tmuxTarget(name)}:`,
    '-F',
    format,
  ])
  return (code === 0 ? stdout.split('\n') : []).flatMap((line) => {
    const [, pane = '', pid, home = '', runs = '', socket = ''] =
      /^(%\d+) (\d+) (\S*) (\S*) (.+)$/.exec(line) ?? []
    const [program, server] = runs.split(':').map((word) => decodeURIComponent(word) || undefined)
    return pane === ''
      ? []
      : [
          {
            pane,
            pid: Number(pid),
            home: decodeURIComponent(home) || undefined,
            runs: { program, server },
            socket,
          },
        ]
  })
}

/** Notes on a pane which agent runs in it: one that leaves is registered again as what it is. */
export async function noteAgent(
  tmux: Tmux,
  { pane, socket }: PaneAddress,
  { program, server }: PaneAgent,
): Promise<void> {
  if (program === undefined) return
  const text = [program, server ?? ''].map(encodeURIComponent).join(':')
  await tmux.run(['set-option', '-p', '-t', pane, AGENT_OPTION, text], socket)
}

/**
 * Starts the launcher `argv` of the home at `home` in a tmux session of its own, detached, in the
 * working directory `cwd`; false where that session is there already. It ends with its program, and
 * lives without a client, whatever the user's tmux does with sessions by itself.
 */
export async function createTmuxSession(
  tmux: Tmux,
  name: string,
  { cwd, home, argv }: { cwd: string; home: string; argv: string[] },
): Promise<boolean> {
  const session = tmuxSessionName(name)
  // tmux reads a directory as one of its formats, in which `#(…)` is run, and a `;` at the end as
  // the end of its command.
  const directory = cwd.replaceAll('#', '##').replace(/;$/, '\\;')
  const line = [
    ...['new-session', '-d', '-s', session, '-n', name, '-c', directory, '--', ...argv],
    ...[';', 'set-option', '-w', '-t', session, 'remain-on-exit', 'off'],
    ...[';', 'set-option', '-t', session, 'destroy-unattached', 'off'],
    // Together with the session: nobody sees the one without the other. As nothing but letters that
    // tmux prints in every locale.
    ...[
      ';',
      'set-option',
      '-p',
      '-t',
      `${tmuxTarget(name)}:`,
      HOME_OPTION,
      encodeURIComponent(home),
    ],
  ]
  const { code, stderr } = await tmux.run(line, undefined, BEGIN_MS)
  if (code === 0) return true
  if (/^duplicate session/.test(stderr)) return false
  throw new CodedError('FAULT', `tmux made no session: ${stderr || `exit ${code}`}`, {
    hint: 'try it by hand: tmux new-session -d',
  })
}

/**
 * The tmux command line, and its server, that have the launcher find a renamed session again by the
 * name of its tmux session. One that the user has named is left alone; tmux itself compares.
 * Undefined for a session without a pane.
 */
export function renamingOf(from: string, { pane, tmux_socket: socket, name }: Session) {
  if (pane === null || socket === null) return undefined
  const [before, now] = [tmuxSessionName(from), tmuxSessionName(name)]
  const ours = `#{==:#{session_name},${before}}`
  return {
    args: ['if-shell', '-F', '-t', pane, ours, `rename-session -t =${before} ${now}`],
    socket,
  }
}

/** Has tmux do that, and waits for it. */
export async function renameTmuxSession(tmux: Tmux, from: string, session: Session): Promise<void> {
  const renaming = renamingOf(from, session)
  if (renaming) await tmux.run(renaming.args, renaming.socket)
}

/**
 * Writes a handover that only this user can read; the pane's launcher removes it once its session
 * is registered.
 */
export function writeHandover(home: Home, name: string, handover: Handover): string {
  const path = join(home.pids, `${name}.${randomBytes(8).toString('hex')}.launch`)
  writeNewFile(path, JSON.stringify(handover))
  return path
}

/** Removes a handover. */
export function dropHandover(path: string): void {
  rmSync(path, { force: true })
}

/**
 * Whether a launcher of this name is at its beginning or at its end: it takes no longer than `ms`,
 * unless it was killed.
 */
export function isUnderWay(
  { home, clock }: Pick<Bus, 'home' | 'clock'>,
  name: string,
  ms: number,
): boolean {
  return namesIn(home.pids).some((file) => {
    if (!isHandover(`/pids/${file}`) || !file.startsWith(`${name}.`)) return false
    const written = statSync(join(home.pids, file), { throwIfNoEntry: false })?.mtimeMs
    return written !== undefined && clock.now() - written < ms
  })
}

/** Reads a handover. Throws `USAGE` for anything that is none: the option is the launcher's own. */
export function readHandover(path: string): Handover {
  requireHandover(path)
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Handover
  } catch (error) {
    throw notForUsers(error)
  }
}

/** Throws `USAGE` for a path that is no handover's. */
export function requireHandover(path: string): void {
  if (!isHandover(path)) throw notForUsers(undefined)
}

function isHandover(path: string): boolean {
  return /\/pids\/[a-z][a-z0-9-]*\.[0-9a-f]{16}\.launch$/.test(path)
}

/** The error of an option that is the launcher's own. */
export function notForUsers(cause: unknown): CodedError {
  return new CodedError('USAGE', 'this option is for internal use', {
    hint: 'start a session with: agent-chat start <name>',
    cause,
  })
}
