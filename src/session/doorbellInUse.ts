/**
 * `native`: the session's agent has said that it listens to its bell; `queue`: it has a server with
 * a queue; `input`: it reads prompts from a file.
 */
export type DoorbellName = 'native' | 'queue' | 'input' | 'tmux' | 'stdout'

/** `own`: the way that this agent alone is woken by, null where that is missing. */
export type DoorbellFacts = {
  choice: string
  native: boolean
  own?: DoorbellName | null
  watcher: boolean
  pane: boolean
}

/** The doorbell that rings first now; null where messages wait for a prompt or a look. */
export function doorbellInUse({
  choice,
  native,
  own,
  watcher,
  pane,
}: DoorbellFacts): DoorbellName | null {
  if ((choice === 'auto' || choice === 'native') && native) return 'native'
  if (choice === 'auto' && own !== undefined) return watcher ? own : null
  if ((choice === 'auto' || choice === 'tmux') && watcher && pane) return 'tmux'
  return choice === 'stdout' && watcher ? 'stdout' : null
}
