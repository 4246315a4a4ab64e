import type { Ports as ChatPorts } from '../chat/ports.ts'

/** A piece of what a worker says, at its place in the stream of one message. */
export type StreamPiece = { n: number; event: string } & Record<string, unknown>

/** What the page shows of workers, which have a room of their own. */
export type Workers = {
  /** What each of them has cost today. */
  costsToday: (ports: ChatPorts) => { name: string; input: number; output: number; usd: number }[]
  /** Gives what a worker says on a message, from a place on, until `stop` is called. */
  followWords: (
    name: string,
    message: string,
    from: number,
    give: (piece: StreamPiece) => void,
    ports: ChatPorts,
  ) => { done: Promise<void>; stop: () => void }
  /** Ends it and starts it again. */
  beginAgain: (name: string, ports: ChatPorts) => Promise<unknown>
}

export type Ports = ChatPorts & {
  version: string
  workers: () => Promise<Workers>
  /** Writes to standard output. */
  print: (text: string) => void
}

export type WebOptions = {
  port?: number
  open?: boolean
  detach?: boolean
  stop?: boolean
  json?: boolean
}
