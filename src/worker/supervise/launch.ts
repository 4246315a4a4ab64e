import { closeSync, copyFileSync, openSync, statSync, truncateSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { isCoded } from '../../errors.ts'
import { strangersEnv } from '../../launcher/plan.ts'
import { createTmuxSession, panesIn, tmuxTarget } from '../../launcher/tmuxSession.ts'
import { makeDirectory, removeFile, replaceFileSoon } from '../../system/files.ts'
import { shellQuoted } from '../../system/shellQuoted.ts'
import { spawnDetached } from '../../system/spawn.ts'
import type { Tmux } from '../../system/tmux.ts'

export type LaunchPorts = {
  bus: Bus
  tmux: Tmux
  env: NodeJS.ProcessEnv
  self: { node: string; script: string }
}

/** What a worker has printed begins anew at this size; what was before is `<path>.1`. In bytes. */
const OUTPUT_BYTES = 1024 * 1024

/**
 * Starts the worker `name` in `cwd`: in its own tmux session where there is a tmux, else without a
 * terminal. What it prints is kept either way, and its exit code is written to `workerEnd` when it
 * ends, whoever its parent is by then.
 */
export async function launchWorker(name: string, cwd: string, ports: LaunchPorts): Promise<void> {
  const { home } = ports.bus
  makeDirectory(home.workers)
  removeFile(home.workerEnd(name))
  rotateOutput(home.workerOutput(name))
  replaceFileSoon(home.workerRun(name), script(name, cwd, ports))
  if (!(await launchInTmux(name, cwd, ports))) launchAlone(name, ports)
}

/** Ends the tmux session that a worker has left, where it is this home's. */
export async function dropTmuxSession(
  name: string,
  { bus, tmux }: Pick<LaunchPorts, 'bus' | 'tmux'>,
): Promise<void> {
  const panes = await withTmux(() => panesIn(tmux, name))
  if (panes?.some(({ home }) => home === bus.home.root))
    await tmux.run(['kill-session', '-t', tmuxTarget(name)])
}

async function launchInTmux(name: string, cwd: string, ports: LaunchPorts): Promise<boolean> {
  const { bus, tmux } = ports
  await dropTmuxSession(name, ports)
  // The pane has the environment of its tmux server, which is not the one of whoever said `up`.
  const argv = ['sh', '-c', 'exec env -i TERM="$TERM" sh "$1"', 'agent-chat']
  const asked = { cwd, home: bus.home.root, argv: [...argv, bus.home.workerRun(name)] }
  return (await withTmux(() => createTmuxSession(tmux, name, asked))) ?? false
}

/** What comes of it; undefined where there is no tmux, or none that works. */
async function withTmux<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isCoded(error, 'PROGRAM_MISSING') || isCoded(error, 'FAULT')) return undefined
    throw error
  }
}

function launchAlone(name: string, { bus, env }: LaunchPorts): void {
  const { home } = bus
  spawnDetached(['sh', home.workerRun(name)], { PATH: env.PATH, TERM: 'dumb' }, home.root)
}

/**
 * A shell that outlives what its terminal tells it: it has to write down how the worker ended. It
 * is a file because arguments are open to every user's `ps`, and a key may be among the variables.
 */
function script(name: string, cwd: string, { bus, env, self }: LaunchPorts): string {
  const { home } = bus
  const variables = { ...strangersEnv(env), AGENT_CHAT_HOME: home.root }
  const exports = Object.entries(variables).flatMap(([key, value]) =>
    value !== undefined && EXPORTABLE.test(key) ? [`export ${key}=${shellQuoted(value)}`] : [],
  )
  const end = home.workerEnd(name)
  const worker = [self.node, self.script, 'work', name, '--supervised'].map(shellQuoted).join(' ')
  return [
    'rm -f "$0"',
    ...exports,
    `cd ${shellQuoted(cwd)} || cd /`,
    // Where its terminal goes, only the first process is told.
    "trap '' INT TERM",
    `trap 'trap "" HUP; kill -HUP 0' HUP`,
    '{',
    "  trap '' HUP",
    `  (trap - HUP INT TERM; exec ${worker}) 2>&1`,
    `  code=$?; (umask 077; echo "$code" >${shellQuoted(`${end}.tmp`)}) && mv ${shellQuoted(`${end}.tmp`)} ${shellQuoted(end)}`,
    `} | (trap '' HUP; exec tee -a ${shellQuoted(home.workerOutput(name))}) &`,
    'wait $!',
    'wait $!',
    '',
  ].join('\n')
}

/** `PWD` and what a shell keeps to itself are its own to set. */
const EXPORTABLE =
  /^(?!(?:_|PWD|OLDPWD|SHLVL|BASHOPTS|BASH_VERSINFO|EUID|PPID|SHELLOPTS|UID|TERM)$)[A-Za-z_][A-Za-z0-9_]*$/

/** Keeps what a worker prints from growing without end, also while it prints. */
export function rotateOutput(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size !== undefined && size > OUTPUT_BYTES) {
    copyFileSync(path, `${path}.1`)
    truncateSync(path)
  }
  closeSync(openSync(path, 'a', 0o600))
}
