import { agentOf } from '../agents/agents.ts'
import type { Session } from '../bus/names/registry.ts'

/**
 * `native`: the session's agent has said that it listens to its bell; `queue`: it has a server with
 * a queue.
 */
export type DoorbellFacts = {
  choice: string
  native: boolean
  queue?: boolean
  watcher: boolean
  pane: boolean
}

/** What wakes a session. */
export type DoorbellName = 'native' | 'queue' | 'tmux' | 'stdout'

/** The doorbell that rings first now; null where messages wait for a prompt or a look. */
export function doorbellInUse({
  choice,
  native,
  queue,
  watcher,
  pane,
}: DoorbellFacts): DoorbellName | null {
  if ((choice === 'auto' || choice === 'native') && native) return 'native'
  if (choice === 'auto' && queue !== undefined) return queue && watcher ? 'queue' : null
  if ((choice === 'auto' || choice === 'tmux') && watcher && pane) return 'tmux'
  return choice === 'stdout' && watcher ? 'stdout' : null
}

/** Whether this agent is woken by the queue of its own server. */
export function wakesByQueue(program: string | undefined): boolean {
  return agentOf(program)?.wake === 'queue'
}

/** An agent with a queue of its own is not typed to: what would harm it is no second best. */
export function noBell({ program, server, doorbell }: Session): { no_bell?: string } {
  if (!wakesByQueue(program) || server !== undefined || doorbell !== 'auto') return {}
  const title = agentOf(program)?.title
  return { no_bell: `${title} was started without a server of agent-chat's` }
}
