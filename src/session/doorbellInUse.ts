/** `native`: the session's agent has said that it listens to its bell. */
export type DoorbellFacts = { choice: string; native: boolean; watcher: boolean; pane: boolean }

/** The doorbell that rings first now; null where messages wait for a prompt or a look. */
export function doorbellInUse({
  choice,
  native,
  watcher,
  pane,
}: DoorbellFacts): 'native' | 'tmux' | 'stdout' | null {
  if ((choice === 'auto' || choice === 'native') && native) return 'native'
  if ((choice === 'auto' || choice === 'tmux') && watcher && pane) return 'tmux'
  return choice === 'stdout' && watcher ? 'stdout' : null
}
