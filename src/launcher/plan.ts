import { delimiter, join } from 'node:path'
import type { AgentStart } from '../agents/agent.ts'
import { ALL_MARKS } from '../agents/agents.ts'
import { CLAUDE } from '../agents/claude.ts'
import { isOneProgram } from './commandLine.ts'
import { besideArgv } from './server.ts'

/** What the launcher was asked for. */
export type LaunchRequest = {
  name: string
  /** What stood after `--`. */
  agentArgs: string[]
  /** Another agent than Claude Code, as a shell's command line. */
  command: string | undefined
}

/** The tmux session that the launcher makes for a session. */
export function tmuxSessionName(name: string): string {
  return `ac-${name}`
}

/**
 * The agent's command line: the agent's own program, or the command that was asked for, which a
 * shell reads as git reads an editor's. Its arguments stand behind it; `closed` where nothing can,
 * as behind `(…)` or `fi`: there they are what the shell calls `"$@"`. Where `start` has a server,
 * that starts first.
 */
export function agentArgv(
  request: LaunchRequest,
  start: AgentStart,
  closed = false,
): [string, ...string[]] {
  const { command } = request
  const args = [...start.before, ...request.agentArgs, ...start.behind]
  const argv = command === undefined ? own(args) : asTyped(command, args, closed)
  return start.server ? besideArgv(start.server, argv) : argv
}

function own(args: string[]): [string, ...string[]] {
  return [CLAUDE.programs[0], ...args]
}

function asTyped(command: string, args: string[], closed: boolean): [string, ...string[]] {
  // Without a shell that waits above it, the agent itself is what is watched, and what signals
  // reach.
  const start = isOneProgram(command) ? 'exec ' : ''
  const behind = closed || args.length === 0 ? '' : ' "$@"'
  return ['sh', '-c', `${start}${command}${behind}`, 'agent-chat', ...args]
}

/** The environment without what marks its process as a part of a Claude Code or of a session. */
export function strangersEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const marks = [...ALL_MARKS, 'AGENT_CHAT_NAME', 'AGENT_CHAT_FAULT', 'TMUX_PANE']
  return Object.fromEntries(Object.entries(env).filter(([key]) => !marks.includes(key)))
}

/**
 * The agent's environment: the caller's, with the session's name, and this `agent-chat` first on
 * the path. Claude Code watches no folder of `--plugin-dir`, unless the caller wants that: it would
 * write a megabyte of types into the clone, and load the mod again in the middle of a turn where a
 * `git pull` changes it.
 */
export function agentEnv(env: NodeJS.ProcessEnv, name: string, root: string): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(env).filter(([key]) => !ALL_MARKS.includes(key)))
  const path = [join(root, 'bin'), kept.PATH].filter(Boolean).join(delimiter)
  return { CLAUDE_CODE_PLUGIN_DIR_WATCH: '0', ...kept, AGENT_CHAT_NAME: name, PATH: path }
}

/**
 * The caller's environment as the agent in a new pane gets it: what describes a terminal is the
 * pane's own.
 */
export function paneEnv(callers: NodeJS.ProcessEnv, panes: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = [
    'TMUX',
    'TMUX_PANE',
    'TERM',
    'TERM_PROGRAM',
    'TERM_PROGRAM_VERSION',
    'COLUMNS',
    'LINES',
    'SHLVL',
    'PWD',
    'OLDPWD',
  ]
  const kept = Object.fromEntries(Object.entries(callers).filter(([key]) => !own.includes(key)))
  const terminal = Object.fromEntries(
    own.flatMap((key) => (panes[key] === undefined ? [] : [[key, panes[key]]])),
  )
  return { ...kept, ...terminal }
}
