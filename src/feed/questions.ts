import type { Bus } from '../bus/bus.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { escalationOf } from '../message/escalation.ts'
import type { Message } from '../message/message.ts'
import { visibleLine } from '../message/visible.ts'
import { questionsToHuman } from '../trust/sendGate/questions.ts'

/** A question that waits for the human; `number` where it is a decision. */
type Question = {
  id: string
  from: string
  title: string
  number?: number
  options: string[]
}

/** The questions that wait for the human: decisions by number, then the others, oldest first. */
export function questionsNow(bus: Bus): { question: Question; message: Message }[] {
  const number = ({ question }: { question: Question }) =>
    question.number ?? Number.MAX_SAFE_INTEGER
  return questionsToHuman(bus)
    .map((message) => ({ message, question: questionOf(message) }))
    .sort((a, b) => number(a) - number(b))
}

function questionOf(message: Message): Question {
  const decision = escalationOf(message)
  const { id, from } = message
  if (decision === undefined) return { id, from, title: taskTitle({ message }), options: [] }
  const { number, options } = decision
  return {
    id,
    from,
    title: withoutNumber(taskTitle({ message })),
    number,
    options: options.map(visibleLine),
  }
}

/** The subject of a decision begins with its number, which is shown by itself. */
function withoutNumber(title: string): string {
  return title.replace(/^decision \d+: /, '')
}
