import { appendFileSync, existsSync } from 'node:fs'
import { clientBell, hearsOf, isOnBell, ringClient, sideToWatch } from '../session/clientBell.ts'
import { ringsNatively } from '../session/doorbellChoice.ts'
import { makeDirectory } from '../system/files.ts'
import type { ProcessRef } from '../system/processes.ts'
import { shellQuoted } from '../system/shellQuoted.ts'
import { hookAgent, type Participant } from './participant.ts'
import type { HookPorts } from './ports.ts'

/**
 * The directories that Claude Code watches for this agent: its session's bell, the one that tells of
 * joins from inside an agent, where there is a home at all, and the client's own bell, which tells
 * of a home that comes later.
 */
export function watchPaths(ports: HookPorts, who: Participant | undefined): string[] {
  const { home } = ports.bus()
  const paths = who || existsSync(home.root) ? homePaths(ports, who) : []
  for (const path of paths) makeDirectory(path)
  const own = ownBell(ports)
  if (!own) return paths
  try {
    return [...paths, sideToWatch(own.bell, own.client, home, paths)]
  } catch {
    // A directory of the plugin's that takes no file: the home's own tell what they can.
    return paths
  }
}

/** Has a Claude Code that does not listen to its session's bell look at the home, and listen. */
export function armLater(ports: HookPorts, who: Participant): void {
  const { home, clock } = ports.bus()
  const own = ringsNatively(who.session) ? ownBell(ports) : undefined
  if (!own) return
  const hears = hearsOf(own.bell, own.client, home, homePaths(ports, who))
  if (hears === 'later' || (hears === 'all' && !who.state?.native))
    ringClient(own.bell, clock.now())
}

/** Whether this file is the ring of the client's own bell. */
export function isOwnBell(ports: HookPorts, path: string): boolean {
  const own = ownBell(ports)
  return own !== undefined && isOnBell(own.bell, path)
}

function homePaths(ports: HookPorts, who: Participant | undefined): string[] {
  const { home } = ports.bus()
  return [...(who ? [home.bell(who.name)] : []), home.joinsBell]
}

function ownBell(ports: HookPorts): { bell: string; client: ProcessRef } | undefined {
  const client = ports.agent ? null : hookAgent(ports)
  const bell = client && clientBell(ports.env.CLAUDE_PLUGIN_DATA, client)
  return bell ? { bell, client } : undefined
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
