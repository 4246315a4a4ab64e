import { servesBelow } from '../session/mcpServers.ts'
import type { Here } from '../trust/toolGate/call.ts'
import type { Participant } from './participant.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'

/** Where a call is to run, as far as the agent tells. */
export function hereOf(ports: HookPorts, payload: Payload, who: Participant): Here {
  return {
    cwd: textOf(payload, 'cwd'),
    root: rootOf(ports, who),
    home: ports.bus().home.root,
    mode: textOf(payload, 'permission_mode'),
    env: ports.env,
    serves: () => {
      const { home, processes } = ports.bus()
      return who.agent !== null && servesBelow(home, processes, who.agent.pid)
    },
  }
}

/**
 * Where the host was started: its user knows the repository there. Other hosts do not tell; there
 * it is where the session joined.
 */
export function rootOf(ports: HookPorts, who: Participant): string {
  return ports.env.CLAUDE_PROJECT_DIR || who.session.cwd
}
