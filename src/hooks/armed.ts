import { appendFileSync } from 'node:fs'
import { makeDirectory } from '../system/files.ts'
import type { Participant } from './participant.ts'
import type { HookPorts } from './ports.ts'

/**
 * The directories that Claude Code watches for this agent: its session's bell, and the one that tells of joins from inside an agent, which
 * every agent with this plugin watches where there is a home at all.
 */
export function watchPaths(ports: HookPorts, who: Participant | undefined): string[] {
  const { home } = ports.bus()
  const paths = [...(who ? [home.bell(who.name)] : []), home.joinsBell]
  for (const path of paths) makeDirectory(path)
  return paths
}

/** Gives the session's name to the shell commands that the agent runs from now on; `/clear` begins a new file. */
export function exportName(ports: HookPorts, who: Participant | undefined): void {
  const file = ports.env.CLAUDE_ENV_FILE
  if (!file || who?.source === 'environment') return
  appendFileSync(file, who ? `export AGENT_CHAT_NAME=${who.name}\n` : 'unset AGENT_CHAT_NAME\n')
}
