import type { Bus } from '../bus/bus.ts'
import type { PostPorts } from '../chat/post.ts'
import type { Message } from '../message/message.ts'
import type { Keeper } from './client/keeper.ts'
import type { ClientEvent } from './client/line.ts'
import type { ClientRequest } from './client/start.ts'
import type { Parts } from './parts.ts'
import type { StateKeeper } from './stateKeeper.ts'
import type { Outcome } from './turn/outcome.ts'

/** What a worker needs to know of its definition. */
export type WorkDefinition = {
  name: string
  path: string
  hash: string
  tools: string[]
  createsOnly?: boolean | undefined
  prompt: string
  model?: string | undefined
  cwd?: string | undefined
  persistent: boolean
  maxIdleSeconds: number
  timeoutSeconds: number
  maxTurns?: number | undefined
  budgetUsd?: number | undefined
  trust: 'ask' | 'tools'
}

/** What a worker shows of its work, as it happens. */
export type Shown =
  | { type: 'joined' }
  | { type: 'prompt'; message: Message; attempt: number }
  | { type: 'client'; event: ClientEvent }
  | { type: 'sent'; message: Message; outcome: Outcome }
  | { type: 'told'; text: string }

/** A worker while it runs: what each turn of it uses. */
export type Worker = {
  name: string
  program: string
  self: ClientRequest['self']
  cwd: string
  definition: WorkDefinition
  /** The definition as the file has it now. Throws where it may no longer be used. */
  reread: () => WorkDefinition
  bus: Bus
  ports: PostPorts
  keeper: Keeper
  state: StateKeeper
  parts: Parts
  stop: Stop
  show: (shown: Shown) => void
}

/** Whether and how the worker is to end. */
export type Stop = {
  /** `drain`: after the turn. `now`: in the middle of it. */
  asked: 'no' | 'drain' | 'now'
  /** Waits, unless it is to end. */
  sleep: (ms: number) => Promise<void>
}
