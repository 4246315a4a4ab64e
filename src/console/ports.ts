import type { Ports as ChatPorts } from '../chat/ports.ts'

/** How a line of the command line ended: its exit code, its answer, and what it told besides. */
type Ran = { exit: number; printed: string; said: string[] }

/** The command line, as the room runs it. */
type Commands = {
  /** Runs one command without the program's own name, `typed` here. Never throws. */
  run: (argv: string[], typed: ChatPorts['typed']) => Promise<Ran>
  /** Loads every command that the room runs. */
  load: () => Promise<unknown>
}

/** What the room touches outside its own memory. */
export type Ports = ChatPorts & {
  commands: Commands
  /** Writes to standard output; returns once the text was accepted. */
  print: (text: string) => void
  setExitCode: (code: number) => void
}

/**
 * `to`, a checked name, is whom the human writes to; `json` prints a line of data an event; `popup`
 * opens it over this tmux client.
 */
export type RoomOptions = { to?: string; plain?: boolean; json?: boolean; popup?: boolean }
