import type { Ports as ChatPorts } from '../chat/ports.ts'

/**
 * How the console is opened: `to`, a checked name, is whom the human writes to without naming
 * anybody; `json` prints a line of data for each event, `popup` opens it in a popup of tmux.
 */
export type ConsoleOptions = { to?: string; plain?: boolean; json?: boolean; popup?: boolean }

/** What a command touches besides: the streams, and how this program ends. */
export type Ports = ChatPorts & {
  /** The same ports for another environment: another home, other doorbells. */
  withEnv: (env: NodeJS.ProcessEnv) => Ports
  version: string
  /** Writes to standard output; returns once the text was accepted. Throws `OUTPUT_CLOSED`. */
  print: (text: string) => void
  /**
   * The program, or device, that takes standard output and may pass only some of it on to whoever
   * asked. Undefined for a terminal, a file, an agent's own capture, and where nothing tells.
   */
  outputTaker: () => Promise<string | undefined>
  /** Writes to standard error as it is, without a new line. */
  talk: (text: string) => void
  /** All of standard input, or one byte more than `maxBytes` where it holds more. */
  readStdin: (maxBytes: number) => Buffer
  /** All of a file, or one byte more than `maxBytes` where it holds more or has no end. */
  readFile: (path: string, maxBytes: number) => Buffer
  setExitCode: (code: number) => void
  /** Opens the console until the human leaves it. */
  openConsole: (options: ConsoleOptions, ports: Ports) => Promise<void>
}
