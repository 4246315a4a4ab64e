import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../bus/home.ts'
import type { Session } from '../bus/registry.ts'
import { CodedError } from '../errors.ts'
import { writeNewFile } from '../system/files.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { tmuxSessionName } from './plan.ts'

/** What a tmux server gets to rename its session in: where it hangs, messages must not wait for it. In milliseconds. */
const RENAME_MS = 2000

/** The option of a pane that says by which home's launcher it was made. */
const HOME_OPTION = '@agent_chat_home'

/** A pane of a launcher's tmux session: the process that it began with, and the home (a path) whose launcher that is, if it is one. */
export type LaunchedPane = PaneAddress & { pid: number; home: string | undefined }

/** What a launcher hands to the one it starts in a new pane. A file, because arguments and `tmux -e` are open to every user's `ps`. */
export type Handover = { env: NodeJS.ProcessEnv; agentArgs: string[]; command: string | null; force: boolean }

/** Whether the launcher's tmux session of this name is there. */
export async function tmuxSessionExists(tmux: Tmux, name: string): Promise<boolean> {
  return (await tmux.run(['has-session', '-t', tmuxTarget(name)])).code === 0
}

/** What tmux takes for the session that has the launcher's name for a session, and for no other whose name begins so, as a target. */
export function tmuxTarget(name: string): string {
  return `=${tmuxSessionName(name)}`
}

/** The panes of the tmux session that has the launcher's name for a session; none where there is no such tmux session. */
export async function panesIn(tmux: Tmux, name: string): Promise<LaunchedPane[]> {
  const format = `#{pane_id} #{pane_pid} #{${HOME_OPTION}} #{socket_path}`
  const { code, stdout } = await tmux.run(['list-panes', '-s', '-t', `${tmuxTarget(name)}:`, '-F', format])
  return (code === 0 ? stdout.split('\n') : []).flatMap((line) => {
    const [, pane = '', pid, home = '', socket = ''] = /^(%\d+) (\d+) (\S*) (.+)$/.exec(line) ?? []
    return pane === '' ? [] : [{ pane, pid: Number(pid), home: decodeURIComponent(home) || undefined, socket }]
  })
}

/**
 * Starts the launcher `argv` of the home at `home` in a tmux session of its own, detached, in the working directory `cwd`; false where that session is there already. It ends
 * with its program, and lives without a client, whatever the user's tmux does with sessions by itself.
 */
export async function createTmuxSession(
  tmux: Tmux,
  name: string,
  { cwd, home, argv }: { cwd: string; home: string; argv: string[] },
): Promise<boolean> {
  const session = tmuxSessionName(name)
  // tmux reads a directory as one of its formats, in which `#(…)` is run, and a `;` at the end as the end of its command.
  const directory = cwd.replaceAll('#', '##').replace(/;$/, '\\;')
  const { code, stderr } = await tmux.run([
    ...['new-session', '-d', '-s', session, '-n', name, '-c', directory, '--', ...argv],
    ...[';', 'set-option', '-w', '-t', session, 'remain-on-exit', 'off'],
    ...[';', 'set-option', '-t', session, 'destroy-unattached', 'off'],
    // Together with the session: nobody sees the one without the other. As nothing but letters that tmux prints in every locale.
    ...[';', 'set-option', '-p', '-t', `${tmuxTarget(name)}:`, HOME_OPTION, encodeURIComponent(home)],
  ])
  if (code === 0) return true
  if (/^duplicate session/.test(stderr)) return false
  throw new CodedError('FAULT', `tmux made no session: ${stderr || `exit ${code}`}`, {
    hint: 'try it by hand: tmux new-session -d',
  })
}

/**
 * The tmux command line, and its server, that have the launcher find a renamed session again by the name of its tmux session. One that the user has named
 * is left alone; tmux itself compares. Undefined for a session without a pane.
 */
export function renamingOf(from: string, { pane, tmux_socket: socket, name }: Session) {
  if (pane === null || socket === null) return undefined
  const [before, now] = [tmuxSessionName(from), tmuxSessionName(name)]
  const ours = `#{==:#{session_name},${before}}`
  return { args: ['if-shell', '-F', '-t', pane, ours, `rename-session -t =${before} ${now}`], socket }
}

/** Has tmux do that, and waits for it. */
export async function renameTmuxSession(tmux: Tmux, from: string, session: Session): Promise<void> {
  const renaming = renamingOf(from, session)
  if (renaming) await tmux.run(renaming.args, renaming.socket, RENAME_MS)
}

/** Writes a handover that only this user can read; the pane's launcher removes it as it reads it. */
export function writeHandover(home: Home, name: string, handover: Handover): string {
  const path = join(home.pids, `${name}.${randomBytes(8).toString('hex')}.launch`)
  writeNewFile(path, JSON.stringify(handover))
  return path
}

/** Removes a handover that nobody took. */
export function dropHandover(path: string): void {
  rmSync(path, { force: true })
}

/** Reads and removes a handover. Throws `USAGE` for anything that is none, and leaves that alone: the option is the launcher's own. */
export function takeHandover(path: string): Handover {
  if (!/\/pids\/[a-z][a-z0-9-]*\.[0-9a-f]{16}\.launch$/.test(path)) throw notForUsers(undefined)
  try {
    const handover = JSON.parse(readFileSync(path, 'utf8')) as Handover
    dropHandover(path)
    return handover
  } catch (error) {
    throw notForUsers(error)
  }
}

function notForUsers(cause: unknown): CodedError {
  return new CodedError('USAGE', 'this option is for the launcher itself', {
    hint: 'start a session with: agent-chat <name>',
    cause,
  })
}
