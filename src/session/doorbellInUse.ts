/** What tells which doorbell rings for a session now. `native`: the agent has told that it listens to its bell. */
export type DoorbellFacts = { choice: string; native: boolean; watcher: boolean; pane: boolean }

/** The doorbell that rings first for a session now, or null where none can: messages are then told with the next prompt, or found by looking. */
export function doorbellInUse({ choice, native, watcher, pane }: DoorbellFacts): 'native' | 'tmux' | 'stdout' | null {
  if ((choice === 'auto' || choice === 'native') && native) return 'native'
  if ((choice === 'auto' || choice === 'tmux') && watcher && pane) return 'tmux'
  return choice === 'stdout' && watcher ? 'stdout' : null
}
