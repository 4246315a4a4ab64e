import { CodedError } from '../../errors.ts'
import { parseLine } from '../../message/line.ts'
import type { Message } from '../../message/message.ts'
import { isWorker } from '../../session/workers.ts'
import type { Ports } from '../ports.ts'
import { parsePlace } from './argument.ts'

export type StreamFlags = {
  stream?: boolean
  after?: number
  conversation?: string
  json?: boolean
}

export const STREAM = ['--stream', 'print the answer of a worker as it comes'] as const
export const AFTER = [
  '--after <n>',
  'with --stream, only events after this one (n in --json)',
  parsePlace,
] as const
export const CONVERSATION = [
  '--conversation <id>',
  'the conversation of a worker that this goes on with: agent-chat conversations @name',
] as const

/** The header field for a conversation. */
export function conversationField({ conversation }: StreamFlags): Message['extra'] {
  if (conversation === undefined) return {}
  const id = parseLine(conversation, 'a conversation', 'agent-chat conversations @name')
  return { conversation: id }
}

/** Throws `USAGE` for `--after` without a stream, and for a stream that nobody waits for. */
export function requireStream({ stream, after }: StreamFlags, waits: boolean): void {
  if (stream ? waits : after === undefined) return
  const what = stream ? '--stream and --no-wait disagree' : '--after needs --stream'
  throw new CodedError('USAGE', what, { hint: 'agent-chat ask @name "the question" --stream' })
}

/** Throws `USAGE` where nothing would ever come: of sessions that are no workers there is no stream. */
export function requireWorker(to: string, { bus }: Pick<Ports, 'bus'>): void {
  if (isWorker(bus().home, to)) return
  throw new CodedError('USAGE', `@${to} is not a worker: its answer does not come as a stream`, {
    hint: `wait for the answer: agent-chat ask @${to} "…"`,
  })
}
