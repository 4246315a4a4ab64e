import type { Me, RemoteSession } from '../bus/remote/peers.ts'
import type { PostPorts } from '../chat/post.ts'
import type { CodedError } from '../errors.ts'
import type { Pipe } from '../system/pipe.ts'
import type { Frame } from './frames.ts'
import type { Hello } from './meet.ts'
import type { Answer, Arrivals } from './transport.ts'

/**
 * One connection over a pipe. `begin` gives who this machine is, once the other's hello is needed
 * for that; the dialler speaks first. `once`: ends when all that is queued on both sides has
 * arrived. `expected`: who the other machine has to be.
 */
export type Connecting = {
  dials: boolean
  begin: (hello: Hello | undefined) => Me
  to: { host: string; sure: boolean }
  expected: string | undefined
  once: boolean
  version: string
  /** Called once both sides know each other. */
  onUp: (host: string) => void
}

/** How a connection ended: `error` where one side refuses the other. */
export type Ended = { met: boolean; done: boolean; why: string; error?: CodedError }

/** So much may wait to be taken by the other side, in bytes. */
const MOST_WAITING = 16 * 1024 * 1024

/** What a connection knows of the other side, and what is open between the two. */
export type State = {
  me: Me | undefined
  host: string | undefined
  /** The id of the other side's home. */
  home: string
  heard: number
  number: number
  open: Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>
  idle: Set<'lane' | 'receipts' | 'peer'>
  arrivals: Arrivals | undefined
  /** The sessions here, and what was last told of them. */
  roster: () => RemoteSession[]
  told: string
  wakes: (() => void)[]
  over: Ended | undefined
}

/** One end of a connection, as all that it does sees it. */
export type Speaker = {
  pipe: Pipe
  state: State
  finish: (why: string, more?: Partial<Ended>) => void
  asked: Connecting
  ports: PostPorts
}

/** Puts a frame on its way; an other side that takes nothing ends the connection. */
export function say({ pipe, finish }: Speaker, frame: Frame): void {
  pipe.write(`${JSON.stringify(frame)}\n`)
  if (pipe.waiting() > MOST_WAITING) finish('the other side takes nothing')
}

/** Tells of the sessions here, when they have changed. */
export function sayHere(speaker: Speaker): void {
  const sessions = speaker.state.roster()
  const told = JSON.stringify(sessions)
  if (told === speaker.state.told) return
  speaker.state.told = told
  say(speaker, { f: 'here', sessions })
}
