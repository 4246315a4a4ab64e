import type { Bus } from '../bus/bus.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { shortId } from '../message/shortId.ts'
import type { Task } from '../message/task.ts'
import { hooksReasonOf } from './hooksOff.ts'
import type { Identity } from './identity.ts'

/** Where the name of a reader comes from who is that session, and no person who names it. */
const ITSELF: readonly Identity['source'][] = ['agent', 'environment', 'pane']

/**
 * Why a reader is not handed what others wrote, in one line: it is a session whose hooks do not run,
 * so nothing would ask before it does what it reads. Undefined for everybody else, so for a person
 * who names that session.
 */
export function whyWithheld(reader: Identity | undefined, bus: Bus): string | undefined {
  if (reader === undefined || reader.name === HUMAN || !ITSELF.includes(reader.source))
    return undefined
  return hooksReasonOf(reader.name, bus)
}

/**
 * A message as this reader is handed it: whole, or without the text of another. Then its body says
 * why, and `withheld` does in data; who sent it, when, and its place in the thread stay.
 */
export function seenBy(
  reader: Identity | undefined,
  bus: Bus,
  why = whyWithheld(reader, bus),
): (message: Message) => Message {
  return (message) =>
    why === undefined || message.from === reader?.name ? message : withoutText(message, why)
}

/** A task with its result, each as `seen` gives it. */
export function taskSeen({ result, ...task }: Task, seen: (message: Message) => Message): Task {
  return { ...task, message: seen(task.message), ...(result && { result: seen(result) }) }
}

function withoutText({ subject: _, ...message }: Message, why: string): Message {
  const { proven } = message.extra
  const extra = { ...(proven === undefined ? {} : { proven }), withheld: why }
  const read = `agent-chat show ${shortId(message.id)}`
  const body = `${why}\nThe text is kept. Your user reads it in a terminal of their own: ${read}`
  return { ...message, extra, body }
}
