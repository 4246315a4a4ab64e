import { delimiter, join } from 'node:path'
import { isOneProgram } from './commandLine.ts'

/** What the launcher was asked for. */
export type LaunchRequest = {
  name: string
  /** What stood after `--`. */
  agentArgs: string[]
  /** Another agent than Claude Code, as a shell's command line. */
  command: string | undefined
}

/**
 * Marks of a Claude Code that this process may run in. An agent that inherited them would take
 * itself for a part of that one.
 */
const CLAUDE_MARKS = [
  'AI_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_NOTES_DIR',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_EFFORT',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PID',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PROJECT_DIR',
]

/** The tmux session that the launcher makes for a session. */
export function tmuxSessionName(name: string): string {
  return `ac-${name}`
}

/**
 * The agent's command line: Claude Code with the plugin at `root`, or the command that was asked
 * for, which a shell reads as git reads an editor's. Its arguments stand behind it; `closed` where
 * nothing can, as behind `(…)` or `fi`: there they are what the shell calls `"$@"`.
 */
export function agentArgv(
  request: LaunchRequest,
  root: string,
  closed = false,
): [string, ...string[]] {
  const { command, agentArgs } = request
  if (command === undefined) return ['claude', '--plugin-dir', root, ...agentArgs]
  // Without a shell that waits above it, the agent itself is what is watched, and what signals
  // reach.
  const start = isOneProgram(command) ? 'exec ' : ''
  const behind = closed || agentArgs.length === 0 ? '' : ' "$@"'
  return ['sh', '-c', `${start}${command}${behind}`, 'agent-chat', ...agentArgs]
}

/** The environment without what marks its process as a part of a Claude Code or of a session. */
export function strangersEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const marks = [...CLAUDE_MARKS, 'AGENT_CHAT_NAME', 'AGENT_CHAT_FAULT', 'TMUX_PANE']
  return Object.fromEntries(Object.entries(env).filter(([key]) => !marks.includes(key)))
}

/**
 * The agent's environment: the caller's, with the session's name, and this `agent-chat` first on
 * the path.
 */
export function agentEnv(env: NodeJS.ProcessEnv, name: string, root: string): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(
    Object.entries(env).filter(([key]) => !CLAUDE_MARKS.includes(key)),
  )
  const path = [join(root, 'bin'), kept.PATH].filter(Boolean).join(delimiter)
  return { ...kept, AGENT_CHAT_NAME: name, PATH: path }
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
