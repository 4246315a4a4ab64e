import type { Ports } from '../../chat/ports.ts'

/** What a supervisor has to know of an agent's definition. */
export type Defined = { name: string; autoStart: boolean; persistent: boolean; hash: string }

/** The definitions, as a port: those that may be used, seen from a directory. */
type Definitions = (cwd: string) => Defined[]

/** What somebody needs who starts and ends workers. */
export type ControlPorts = Pick<Ports, 'bus' | 'env' | 'cwd' | 'self' | 'tmux'>

export type UpPorts = ControlPorts & {
  definitions: Definitions
  /** Throws where no worker of this name can be started. */
  require: (name: string) => void
}

export type SupervisePorts = Pick<Ports, 'bus' | 'env' | 'self' | 'tmux' | 'onStop'> & {
  definitions: Definitions
  /** Begins the scheduled runs that are due; gives in how many milliseconds the next one is. */
  runDue: () => Promise<number | undefined>
  /** What happens, one line each, beside the log. */
  tell: (text: string) => void
}
