import type { Bus } from '../bus/bus.ts'
import type { Message } from '../message/message.ts'
import { lookAtOther, type OtherSide, otherSide } from '../session/otherSide.ts'

/** Questions of the human's whose answers they wait for in the room. */
export type Waiting = {
  add: (question: Message) => void
  /** Somebody has answered this id. */
  answered: (id: string, by: string) => void
  /** What is worth saying of those who were asked, each thing once. */
  look: () => { text: string; about: string }[]
}

const SAYS: Record<OtherSide, ((name: string) => string) | undefined> = {
  waiting: undefined,
  idle: (name) => `@${name} finished its turn without answering. Still waiting for a reply`,
  asking: (name) => `@${name} has a dialog open in its terminal: select this line and press o`,
  gone: (name) => `@${name} has left, or its agent has ended. The question stays in its inbox`,
}

export function openWaiting(bus: Bus): Waiting {
  const asked = new Map<string, { question: Message; side: OtherSide }>()
  return {
    add: (question) => asked.set(question.id, { question, side: 'waiting' }),
    answered: (id, by) => {
      if (asked.get(id)?.question.to === by) asked.delete(id)
    },
    look: () =>
      [...asked].flatMap(([id, { question, side: before }]) => {
        const side = otherSide(lookAtOther(bus, question))
        if (side === before) return []
        if (side === 'gone') asked.delete(id)
        else asked.set(id, { question, side })
        const text = SAYS[side]?.(question.to)
        return text === undefined ? [] : { text, about: question.to }
      }),
  }
}
