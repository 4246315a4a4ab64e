import type { Session } from '../bus/names/registry.ts'
import { CodedError } from '../errors.ts'

/** What `--doorbell` and `$AGENT_CHAT_DOORBELL` take. */
const DOORBELLS = ['auto', 'native', 'tmux', 'stdout'] as const
export type DoorbellChoice = (typeof DOORBELLS)[number]

/** The doorbell that was asked for. Throws `USAGE` for another word. */
export function parseDoorbell(input: string | undefined): DoorbellChoice {
  const choice = DOORBELLS.find((known) => known === (input || 'auto'))
  if (choice) return choice
  throw new CodedError('USAGE', `no doorbell ${JSON.stringify(input)}`, {
    hint: `choose one of: ${DOORBELLS.join(', ')}`,
  })
}

/**
 * Whether the home's watcher rings for this session. What the stdout doorbell prints is for whoever
 * runs the watcher.
 */
export function needsWatcher(
  session: Pick<Session, 'doorbell' | 'pane' | 'watch' | 'server'>,
): boolean {
  const { doorbell, pane, watch, server } = session
  return (
    (pane !== null || server !== undefined) &&
    watch !== false &&
    (doorbell === 'auto' || doorbell === 'tmux')
  )
}

/** Whether the agent's own bell rings for this session. */
export function ringsNatively(session: Pick<Session, 'doorbell'>): boolean {
  return session.doorbell === 'auto' || session.doorbell === 'native'
}
