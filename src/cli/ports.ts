import type { Bus } from '../bus/bus.ts'
import type { Tmux } from '../system/tmux.ts'

/** How the console is opened: `to`, a checked name, is whom the human writes to without naming anybody; `json` prints a line of data for each event. */
export type ConsoleOptions = { to?: string; plain?: boolean; json?: boolean }

/** Everything a command touches outside its own memory. Built once, in the composition root; a command takes the part it needs. */
export type Ports = {
  env: NodeJS.ProcessEnv
  /** The same ports for another environment: another home, other doorbells. */
  withEnv: (env: NodeJS.ProcessEnv) => Ports
  cwd: string
  /** How to run this program again. */
  self: { node: string; script: string; root: string }
  version: string
  /** The bus of `$AGENT_CHAT_HOME`. Throws `HOME_UNUSABLE` where the home is another user's. */
  bus: () => Bus
  tmux: Tmux
  /** Writes to standard output, and returns when the text was accepted. Throws `OUTPUT_CLOSED`. */
  print: (text: string) => void
  /** Writes one line of talk to standard error. */
  say: (text: string) => void
  /** Writes talk to standard error as it is, without a new line. */
  talk: (text: string) => void
  isTerminal: (stream: 'stdin' | 'stdout' | 'stderr') => Promise<boolean>
  /** All of standard input, or one byte more than `maxBytes` where it holds more. */
  readStdin: (maxBytes: number) => Buffer
  /** All of a file, or one byte more than `maxBytes` where it holds more: also of one that has no end. */
  readFile: (path: string, maxBytes: number) => Buffer
  setExitCode: (code: number) => void
  /** Calls back, once, when the process is asked to end (SIGINT, SIGTERM, SIGHUP). */
  onStop: (callback: (signal: NodeJS.Signals) => void) => void
  /** Opens the console, the one surface that stands above the command line, until the human leaves it. */
  openConsole: (options: ConsoleOptions, ports: Ports) => Promise<void>
}
