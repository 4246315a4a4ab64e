import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { isoTime } from '../message/time.ts'
import { digestOf } from '../system/digest.ts'
import { makeDirectory, removeFile, replaceFile } from '../system/files.ts'
import { readJson } from '../system/json.ts'

/**
 * The message that a worker's turn is about. `cause`: `human` if the message is from @human; `own`:
 * whether it is known to be their own word, or their schedule's. `chain`: the chain of the message.
 */
export type Given = {
  message: string
  from: string
  kind: string
  cause: 'human' | 'doorbell'
  chain: string | null
  own: boolean
}

/**
 * The reason that the hook gives for its question about a call in a turn that the human's own word
 * began. The host of the client, the worker's process, knows that turn by itself, and lets the call
 * run only where both say so.
 */
export const OPEN_TURN = "agent-chat: your user's own word began this turn"

/** `at`: when it was written (ISO 8601); `prompt`: the digest of the text on the line. */
type Written = Given & { at: string; prompt: string }

/**
 * Notes what the next line on the client's standard input is about. The disk has it when this
 * returns: write the line only then. `prompt`: the very text of that line. Without this note, a
 * prompt of the worker's is nobody's word. Gives the time by which the hook names the turn.
 */
export function writeGiven(
  { home, clock }: Bus,
  name: string,
  given: Given,
  prompt: string,
): string {
  const written: Written = { ...given, at: isoTime(clock.now()), prompt: digest(prompt) }
  makeDirectory(home.workers)
  replaceFile(home.workerTurn(name), `${JSON.stringify(written)}\n`)
  return written.at
}

/** What the worker's present turn is about, or undefined. */
export function readGiven(home: Pick<Home, 'workerTurn'>, name: string): Written | undefined {
  const value = readJson(home.workerTurn(name))
  return isWritten(value) ? value : undefined
}

/** Ends it: whatever the client is prompted with from now on is nobody's word. */
export function dropGiven({ home }: Pick<Bus, 'home'>, name: string): void {
  removeFile(home.workerTurn(name))
}

/** Whether a prompt that reached the client is the one that was noted. */
export function isGiven({ prompt }: Pick<Written, 'prompt'>, text: string): boolean {
  return prompt === digest(text)
}

function digest(text: string): string {
  return digestOf(Buffer.from(text.trim()))
}

function isWritten(value: unknown): value is Written {
  if (typeof value !== 'object' || value === null) return false
  const { message, from, kind, cause, own, at, prompt } = value as Record<string, unknown>
  return (
    [message, from, kind, at, prompt].every((text) => typeof text === 'string') &&
    (cause === 'human' || cause === 'doorbell') &&
    typeof own === 'boolean'
  )
}
