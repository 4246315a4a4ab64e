import type { Home } from '../bus/home.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import type { Message } from '../message/message.ts'
import { digestOf } from '../system/digest.ts'
import { makeDirectory, replaceFile } from '../system/files.ts'
import { readJson } from '../system/json.ts'

/**
 * Decisions that a worker has put to the human. `spent`: its answer has been used. `human`: the
 * `AGENT_CHAT_HUMAN` of the worker, under which no answer counts. `refused`: the answers that it has
 * read and did not let count. The decision's own message says which call it is about (`permission`, a
 * digest) and for which message (`about`).
 */
type Asked = { id: string; spent: boolean; human?: 'ask'; refused?: string[] }

/** More than a worker waits for: the oldest are forgotten, and asked again. */
const MAX_ASKED = 50

type AskedHome = Pick<Home, 'workerAsked' | 'workers' | 'message' | 'names'>

/** What tells one call from another: a yes is for this very one. */
export function callDigest(tool: string, input: Record<string, unknown>): string {
  return digestOf(Buffer.from(JSON.stringify([tool, input])))
}

/**
 * The decision that was put for this call before, and whose answer was not used. `message` is the
 * one of the present turn: the same as then, or the late answer to the decision.
 */
export function findAsked(
  home: AskedHome,
  name: string,
  digest: string,
  { id, inReplyTo }: Pick<Message, 'id' | 'inReplyTo'>,
): Message | undefined {
  for (const asked of readAsked(home, name).filter(({ spent }) => !spent)) {
    const decision = messageAt(home.message(asked.id), asked.id, home)
    if (decision?.from !== name || decision.extra.permission !== digest) continue
    if (decision.extra.about === id || decision.id === inReplyTo) return decision
  }
  return undefined
}

/**
 * Remembers a decision, and whether its answers count; the disk has it when this returns. One that
 * was put before keeps what is known of it.
 */
export function noteAsked(home: AskedHome, name: string, id: string, human?: 'ask'): void {
  const all = readAsked(home, name)
  const known = all.find((asked) => asked.id === id)
  if (known && known.human === human) return
  const { human: _, ...before } = known ?? { id, spent: false }
  const noted = { ...before, ...(human && { human }) }
  write(home, name, [...all.filter((asked) => asked !== known), noted])
}

/** Its answer is used from now on, once and for no other call. */
export function spendAsked(home: AskedHome, name: string, id: string): void {
  change(home, name, id, () => ({ id, spent: true }))
}

/** Remembers that an answer was read and did not count: the decision stays open. */
export function refuseAnswer(home: AskedHome, name: string, id: string, answer: string): void {
  change(home, name, id, (asked) => ({
    ...asked,
    refused: [...(asked.refused ?? []), answer].slice(-MAX_ASKED),
  }))
}

/** What a worker knows of its decision, or undefined. */
export function askedOf(home: AskedHome, name: string, id: string): Asked | undefined {
  return readAsked(home, name).find((asked) => asked.id === id)
}

function change(home: AskedHome, name: string, id: string, to: (asked: Asked) => Asked): void {
  const all = readAsked(home, name)
  write(
    home,
    name,
    all.map((asked) => (asked.id === id ? to(asked) : asked)),
  )
}

/** Whether a message answers a decision about a call of this worker's. */
export function isDecisionAnswer(
  home: AskedHome,
  name: string,
  message: Pick<Message, 'inReplyTo'>,
): boolean {
  const { inReplyTo: id } = message
  const decision = id === undefined ? undefined : messageAt(home.message(id), id, home)
  return decision?.from === name && decision.extra.permission !== undefined
}

/**
 * What a message in the worker's inbox is to its decisions: `spent` (mark it as read; it begins no
 * turn), `late` (nobody waits for it any more; give it to the conversation, which may try the call
 * again), or undefined for any other message.
 */
export function answersDecision(
  home: AskedHome,
  name: string,
  message: Pick<Message, 'inReplyTo'>,
): 'spent' | 'late' | undefined {
  if (!isDecisionAnswer(home, name, message)) return undefined
  const known = askedOf(home, name, message.inReplyTo ?? '')
  return known && !known.spent ? 'late' : 'spent'
}

function readAsked(home: AskedHome, name: string): Asked[] {
  const value = readJson(home.workerAsked(name))
  return Array.isArray(value) ? value.filter(isAsked) : []
}

function write(home: AskedHome, name: string, all: Asked[]): void {
  makeDirectory(home.workers)
  replaceFile(home.workerAsked(name), `${JSON.stringify(all.slice(-MAX_ASKED))}\n`)
}

function isAsked(value: unknown): value is Asked {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'spent' in value
  )
}
