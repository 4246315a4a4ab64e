import type { Home } from '../../bus/home.ts'
import { messageAt } from '../../bus/mail/inbox.ts'
import type { Message } from '../../message/message.ts'
import { digestOf } from '../../system/digest.ts'
import { makeDirectory, replaceFile } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'

/**
 * Decisions that a worker has put to the human. `spent`: its answer has been used. The decision's
 * own message says which call it is about (`permission`, a digest) and for which message (`about`).
 */
type Asked = { id: string; spent: boolean }

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

/** Remembers a decision; the disk has it when this returns. */
export function noteAsked(home: AskedHome, name: string, id: string): void {
  write(home, name, [...readAsked(home, name), { id, spent: false }])
}

/** Its answer is used from now on, once and for no other call. */
export function spendAsked(home: AskedHome, name: string, id: string): void {
  const all = readAsked(home, name)
  write(
    home,
    name,
    all.map((asked) => (asked.id === id ? { id, spent: true } : asked)),
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
  const known = readAsked(home, name).find(({ id }) => id === message.inReplyTo)
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
