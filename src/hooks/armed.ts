import { appendFileSync } from 'node:fs'
import { makeDirectory } from '../system/files.ts'
import { shellQuoted } from '../system/shellQuoted.ts'
import { hookAgent, type Participant } from './participant.ts'
import type { HookPorts } from './ports.ts'

/**
 * The directories that Claude Code watches for this agent: its session's bell, and the one that
 * tells of joins from inside an agent, which every agent with this plugin watches where there is a
 * home at all.
 */
export function watchPaths(ports: HookPorts, who: Participant | undefined): string[] {
  const { home } = ports.bus()
  const paths = [...(who ? [home.bell(who.name)] : []), home.joinsBell]
  for (const path of paths) makeDirectory(path)
  return paths
}

/**
 * Gives the session's name to the shell commands that the agent runs from now on, and has them find
 * this plugin's `agent-chat` before any other. The host keeps the file with the conversation: what
 * stands there holds for this process alone, not for one that resumes the conversation.
 */
export function exportName(ports: HookPorts, who: Participant | undefined): void {
  const { CLAUDE_ENV_FILE: file, CLAUDE_PLUGIN_ROOT: root } = ports.env
  const pid = hookAgent(ports)?.pid
  if (!file) return
  const name = who ? `export AGENT_CHAT_NAME=${who.name}` : 'unset AGENT_CHAT_NAME'
  const path = who && root ? `; ${before(`${root}/bin`)}` : ''
  const all = `${name}${path}`
  appendFileSync(file, pid ? `if [ "$CLAUDE_PID" = ${pid} ]; then ${all}; fi\n` : `${all}\n`)
}

/** Puts a directory before all others of the PATH, once. */
function before(directory: string): string {
  const quoted = shellQuoted(directory)
  return `case "$PATH" in ${quoted}:*) ;; *) export PATH=${quoted}:"$PATH" ;; esac`
}
