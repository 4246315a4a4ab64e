import { CodedError } from '../../errors.ts'
import { parseLine } from '../../message/line.ts'
import type { Message } from '../../message/message.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { isWorker } from '../../session/workers.ts'
import { type Following, followStream } from '../../worker/stream/follow.ts'
import type { StreamLine } from '../../worker/stream/stream.ts'
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

/** What is printed of a stream. `end` prints the rest, and gives whether any words came. */
export type Printed = {
  begin: (message: Pick<Message, 'id' | 'to'>) => void
  end: (message: Pick<Message, 'id' | 'to'>) => boolean
  stop: () => void
  done: () => Promise<void>
}

/** Prints events as they come: lines of JSON, or the words, and a line for each tool. */
export function printStream({ json, after }: StreamFlags, ports: Ports): Printed {
  let following: Following | undefined
  let words = false
  let open = false
  const fresh = () => {
    if (open) ports.print('\n')
    open = false
  }
  const onLine = (line: StreamLine) => {
    if (json) return ports.print(`${JSON.stringify(line)}\n`)
    if (line.event === 'token') {
      ports.print(visible(line.text))
      words = true
      open = !line.text.endsWith('\n')
      return
    }
    fresh()
    if (line.event === 'tool_start') ports.print(`· ${visibleLine(line.tool)}\n`)
    if (line.event === 'start' && line.attempt > 1) ports.print('· started again\n')
  }
  const begin: Printed['begin'] = ({ id, to }) => {
    const from = after === undefined ? undefined : after + 1
    following ??= followStream({ name: to, message: id, from, onLine }, ports)
  }
  const stop = () => following?.stop()
  return {
    begin,
    stop,
    done: async () => following?.done,
    end: (message) => {
      begin(message)
      following?.look()
      stop()
      fresh()
      return words
    },
  }
}

/** Throws `USAGE` where nothing would ever come: of sessions that are no workers there is no stream. */
export function requireWorker(to: string, { bus }: Pick<Ports, 'bus'>): void {
  if (isWorker(bus().home, to)) return
  throw new CodedError('USAGE', `@${to} is not a worker: its answer does not come as a stream`, {
    hint: `wait for the answer: agent-chat ask @${to} "…"`,
  })
}
