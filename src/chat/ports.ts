import type { Bus } from '../bus/bus.ts'
import type { Tmux } from '../system/tmux.ts'

/**
 * Everything that an action on the room touches outside its own memory. A surface builds it once; a
 * function takes the part that it needs.
 */
export type Ports = {
  env: NodeJS.ProcessEnv
  /** The working directory of whoever acts, as an absolute path. */
  cwd: string
  /** How to run this program again. */
  self: { node: string; script: string; root: string }
  /** The bus of `$AGENT_CHAT_HOME`. Throws `HOME_UNUSABLE` where the home is another user's. */
  bus: () => Bus
  tmux: Tmux
  /** A surface knows the human by more than the process: the cookie, or the keys of a console. */
  typed?: 'terminal' | 'web'
  /** Tells whoever acts of something beside the answer, in one line; the surface decides how. */
  notice: (text: string) => void
  isTerminal: (stream: 'stdin' | 'stdout' | 'stderr') => Promise<boolean>
  /** Calls back each time the process is asked to end (SIGINT, SIGTERM, SIGHUP). */
  onStop: (callback: (signal: NodeJS.Signals) => void) => void
  /** A person pressed or typed this in the room inside Claude Code: `pressedIn()` says so. */
  pressed?: true
}
