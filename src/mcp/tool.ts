import type { Ports } from '../chat/ports.ts'
import type { Posted } from '../chat/post.ts'
import { CodedError } from '../errors.ts'
import type { Message } from '../message/message.ts'
import { shortId } from '../message/shortId.ts'
import { type Fields, type InputOf, readInput, type Schema, schemaOf } from './fields.ts'

/** Data of a call. What is left undefined is left out. */
export type Answer = { success: boolean; [field: string]: unknown }

/**
 * One call of a tool. `name`: who calls. `key`: stands for the call's own id, where the host gave
 * one, and goes with the message that is sent; `earlier` is such a message of a server that was
 * ended in the middle of this very call. `afterAnswer` runs work once the answer was written out.
 */
export type Call = {
  name: string
  key: string | undefined
  earlier: (() => Message | undefined) | undefined
  ports: Ports
  signal: AbortSignal
  progress: (text: string) => void
  afterAnswer: (work: () => void) => void
  /** The person's answer; undefined where the host cannot ask. May throw `NotAsked`. */
  confirm: (question: string) => boolean | undefined
}

/** Thrown to have the host ask its person first; the call then comes again, with the answer. */
export class NotAsked extends Error {}

/** `reads`: it changes nothing; `always`: hosts that load tools late load it at once. */
export type Tool = {
  name: string
  description: string
  input: ReturnType<typeof schemaOf>
  output: Record<string, Schema>
  reads: boolean
  destroys: boolean
  always: boolean
  run: (given: object, call: Call) => Promise<Answer>
}

/** A tool; `gives` are the fields of its answer beside `success`. */
export function tool<F extends Fields>(made: {
  name: string
  description: string
  fields: F
  gives: Record<string, Schema>
  reads?: true
  destroys?: true
  always?: true
  run: (input: InputOf<F>, call: Call) => Promise<Answer> | Answer
}): Tool {
  const { name, description, fields, gives, run } = made
  return {
    name,
    description,
    input: schemaOf(fields),
    output: gives,
    reads: made.reads === true,
    destroys: made.destroys === true,
    always: made.always === true,
    run: async (given, call) => run(readInput(fields, given, name), call),
  }
}

export const TEXT: Schema = { type: 'string' }
export const LIST: Schema = { type: 'array', items: { type: 'object' } }
export const NUMBER: Schema = { type: 'number' }
export const FLAG: Schema = { type: 'boolean' }

/** The fields of every answer about a message. */
export const SENT = { id: TEXT, message_id: TEXT, to: TEXT, thread: TEXT, not_delivered: TEXT }

/** What was sent, as data. */
export function sentAnswer({ message, silent }: Omit<Posted, 'warning'>): Answer {
  const { id, to, thread } = message
  return {
    success: true,
    ...{ id: shortId(id), message_id: id, to, thread },
    ...(silent === undefined ? {} : { not_delivered: silent.why }),
  }
}

/** A body, and the mark of the call that sends it. */
export function contentFrom({ key }: Call, body: string, extra: Message['extra'] = {}) {
  if (body.trim() === '') {
    throw new CodedError('BODY_EMPTY', 'Message cannot be empty', {
      hint: 'call the tool again with a text',
    })
  }
  return async () => ({ body, extra: { ...extra, ...markOf(key) } })
}

export function markOf(key: string | undefined): Message['extra'] {
  return key === undefined ? {} : { mcp_call: key }
}
